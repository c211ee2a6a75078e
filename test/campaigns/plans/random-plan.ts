import { textOf } from "../../../src/adapters/files/bytes-as-text.ts";
import type { Chance } from "../../support/hostile/chance.ts";
import { mutateText } from "../../support/hostile/mutate-text.ts";

const titles = [
  "Add the parser",
  "[P] Write tests",
  "[VERIFY] Quality gate",
  "Use `src/a.ts`",
  "[US1] **Bold** words",
  "ünï 任务",
  "[RED] fail first",
];
const heads = [
  "",
  "# Tasks\n\n",
  "---\nspec: x\n---\n\n# Tasks\n\n",
  "Intro\n\n## Phase 1: Setup\n\n",
  "\uFEFF# Plan\n",
];
const bodies = [
  "  - **Do**: Add it\n  - **Files**: src/a.ts, src/b.ts\n  - **Done when**: it works\n  - **Verify**: `npm test`\n  - **Commit**: `feat: add`\n",
  "  - **Do**:\n    1. One\n    2. Two\n  - **Verify**:\n    ```bash\n    npm test\n    ```\n",
  "  - [ ] checked by hand\n",
  "  _Requirements: 1.1, 2.3_\n",
  "  text that\n  goes on\n",
  "",
];
const between = [
  "",
  "",
  "\n",
  "\n## Phase 2: More\n\n",
  "\n---\n\n",
  "\n```md\n- [ ] 9.9 fake\n```\n\n",
  "\n<!--\n- [ ] 9.8 hidden\n-->\n\n",
  "> quoted\n\n",
];

/** A plan as a tool of some dialect writes it, and then not quite; some are bytes that are no UTF-8. */
export function randomPlan(chance: Chance): string {
  const bullet = chance.pick(["-", "-", "*", "+", "1."]);
  const name = chance.pick<(n: number) => string>([
    (n) => `1.${n}`,
    (n) => `T00${n}`,
    (n) => `${n}.`,
    (n) => `V${n}`,
    () => "",
    (n) => `1.1${".1".repeat(n)}`,
  ]);
  const tasks = Array.from({ length: 1 + chance.below(6) }, (_, index) => {
    const box = chance.pick([" ", " ", "x", "X"]);
    return `${bullet} [${box}] ${name(index + 1)} ${chance.pick(titles)}\n${chance.pick(bodies)}${chance.pick(between)}`;
  });
  const text = mutateText(
    `${chance.pick(heads)}${tasks.join("")}`.replaceAll("\n", chance.pick(["\n", "\n", "\r\n", "\r"])),
    chance,
    6,
  );
  return chance.below(4) === 0 ? textOf(withForeignBytes(Buffer.from(text), chance)).text : text;
}

function withForeignBytes(bytes: Buffer, chance: Chance): Buffer {
  for (let left = 1 + chance.below(3); left > 0 && bytes.length > 0; left -= 1)
    bytes[chance.below(bytes.length)] = 0x80 + chance.below(0x80);
  return bytes;
}
