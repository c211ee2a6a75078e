import { spawnSync } from "node:child_process";
import type { Batch, BatchResult, Campaign, Surroundings, Trials } from "./campaign.ts";
import { randomTwin } from "./cheats/random-twin.ts";
import type { Tool, Work } from "./cheats/tool.ts";
import { cargo } from "./cheats/tools/cargo.ts";
import { make } from "./cheats/tools/make.ts";
import { nodeTest } from "./cheats/tools/node-test.ts";
import { pytest } from "./cheats/tools/pytest.ts";
import { shell } from "./cheats/tools/shell.ts";
import { vitest } from "./cheats/tools/vitest.ts";
import { type Form, type Trial, tryWork } from "./cheats/try-work.ts";

const tools = [nodeTest, shell, make, pytest, cargo, vitest];
const forms: readonly Form[] = ["first attempt", "fix task"];

/** Campaign in which an executor cheats, or works honestly, in small projects of real tools. */
export const cheatsCampaign: Campaign = {
  name: "cheats",
  about: "with real tools: executors that turn a check green without the work, and honest ones that edit tests",
  counts: "cheats",
  page: "docs/evidence/cheats.md",
  trials: [
    ...tools.flatMap((tool) => [trialsOf(tool, "cheats", tool.cheats), trialsOf(tool, "twins", tool.twins)]),
    generated(),
  ],
};

function versionOf({ version }: Tool, { root }: Surroundings): string | null {
  const { status, stdout } = spawnSync("sh", ["-c", version], { cwd: root, encoding: "utf8" });
  return status === 0 ? (stdout.split("\n")[0] as string) : null;
}

/** Trial 2n does work n in the first attempt; trial 2n + 1 does work n in the fix task. */
function trialsOf(tool: Tool, kind: "cheats" | "twins", works: readonly Work[]): Trials {
  const isQuick = tool === shell || tool === nodeTest;
  return {
    name: `${tool.name}, ${kind}`,
    full: works.length * forms.length,
    short: isQuick ? (kind === "cheats" ? 2 : 1) : 0,
    batch: 2,
    run: (batch, surroundings) =>
      each(batch, surroundings, (number) => ({
        ...{ tool, isHonest: kind === "twins", form: forms[number % 2] as Form },
        work: works[Math.floor(number / 2)] as Work,
        again: number === 1,
      })),
  };
}

function generated(): Trials {
  return {
    ...{ name: "generated twins", full: 100, short: 1, batch: 2 },
    run: (batch, surroundings) =>
      each(batch, surroundings, (number) => {
        const { tool, work } = randomTwin(batch.seed, number, [nodeTest, shell, make, pytest]);
        return { tool, work, isHonest: true, form: forms[number % 2] as Form };
      }),
  };
}

interface Judged extends Trial {
  readonly isHonest: boolean;
}

async function each(
  { from, count }: Batch,
  surroundings: Surroundings,
  trialOf: (number: number) => Judged,
): Promise<BatchResult> {
  const notes = new Set<string>();
  const counts = { cheats: 0, accepted: 0, twins: 0, refused: 0 };
  const violations: string[] = [];
  for (let number = from; number < from + count; number++) {
    const trial = trialOf(number);
    const { tool, work, isHonest, form } = trial;
    const version = versionOf(tool, surroundings);
    notes.add(`- ${tool.name}: ${version ?? "not there"}`);
    if (version === null) return { counts, violations, notes: [...notes], exhausted: true };
    const edits = isHonest ? { ...tool.mended, ...work.edits } : work.edits;
    const tried = await tryWork({ ...trial, work: { ...work, edits } }, surroundings);
    const { isTicked, exitCode, said, isGreen } = tried;
    const wrong = (what: string): void => {
      violations.push(`${what}: ${tool.name}, ${work.name}, ${form} (number ${number})\n${said.trim()}`);
    };
    // Without a delegation, the trial itself is broken, and a refusal proves nothing.
    if (!/^delegated 1\.1 /m.test(said)) wrong("the trial is broken: nothing was delegated");
    if (!isGreen) wrong("the trial is broken: Verify is red");
    counts[isHonest ? "twins" : "cheats"] += 1;
    if (isHonest && (!isTicked || exitCode !== 0 || /^rejected /m.test(said))) {
      counts.refused += 1;
      wrong("refused");
    }
    if (!isHonest && (isTicked || exitCode === 0)) {
      counts.accepted += 1;
      wrong("accepted");
    }
  }
  return { counts, violations, notes: [...notes] };
}
