import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { fixPlan } from "../../../src/markdown/lint/fix-plan.ts";
import { dialectPlans } from "../../support/dialect-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const plan = (...lines: readonly string[]): string => `# Plan\n\n${lines.join("\n")}\n`;

describe("fixPlan", () => {
  it.each([
    [
      "a box without a blank after its bullet",
      ["- [ ] 1.1 Add", "-[x] 1.2 Test"],
      ["- [ ] 1.1 Add", "- [x] 1.2 Test"],
      [4, "near-miss-task"],
    ],
    ["an empty box", ["- [ ] 1.1 Add", "- [] 1.2 Test"], ["- [ ] 1.1 Add", "- [ ] 1.2 Test"], [4, "near-miss-task"]],
    ["another mark", ["- [ ] 1.1 Add", "* [✓] 1.2 Test"], ["- [ ] 1.1 Add", "* [x] 1.2 Test"], [4, "near-miss-task"]],
    [
      "a marker in small letters",
      ["- [ ] 1.1 [verify] Check", "- [ ] 1.2 Add"],
      ["- [ ] 1.1 [VERIFY] Check", "- [ ] 1.2 Add"],
      [3, "near-miss-marker"],
    ],
    [
      "a prompt",
      ["- [ ] 1.1 Add", "  - **Verify**: `$ npm test`"],
      ["- [ ] 1.1 Add", "  - **Verify**: `npm test`"],
      [3, "prose-verify"],
    ],
  ] as const)("fixes %s", (_, before, after, [line, rule]) => {
    const mended = fixPlan(plan(...before));
    expect(mended).toEqual({ text: plan(...after), fixed: [{ line, rule }] });
    expect(fixPlan(mended.text)).toEqual({ text: mended.text, fixed: [] });
  });

  it("fixes several, and keeps the line endings and all other bytes", () => {
    const text = "\uFEFF# Plan\r\n\r\n- [ ] 1.1 [red] Add  \r\n-[ ] 1.2 Test\r\n  - **Verify**: `$ true`";
    const { text: mended, fixed } = fixPlan(text);
    expect(mended).toBe("\uFEFF# Plan\r\n\r\n- [ ] 1.1 [RED] Add  \r\n- [ ] 1.2 Test\r\n  - **Verify**: `true`");
    expect(fixed.map(({ line }) => line)).toEqual([3, 3, 4]);
  });

  it.each([
    ["a mark that may mean anything", ["- [ ] 1.1 Add", "- [?] 1.2 Test"]],
    ["a marker elsewhere in the title", ["- [ ] 1.1 Check it [verify]", "- [ ] 1.2 Add"]],
    ["a misspelt marker", ["- [ ] 1.1 [VERFIY] Check", "- [ ] 1.2 Add"]],
    ["an id that would become a duplicate", ["- [ ] 1.1 Add", "-[ ] 1.1 Test"]],
    ["a sentence as a Verify", ["- [ ] 1.1 Add", "  - **Verify**: `make test passes`"]],
    [
      "a prompt in a fence",
      ["- [ ] 1.1 Add", "  - **Verify**:", "    ```sh", "    $ cd a", "    $ npm test", "    ```"],
    ],
    ["a command that occurs twice", ["- [ ] 1.1 Run `$ npm test`", "  - **Verify**: `$ npm test`"]],
    ["problems without a rule", ["- [ ] 1.1 Add", "```sh", "-[ ] 1.2 Test", "```"]],
  ])("does not change %s", (_, lines) => {
    expect(fixPlan(plan(...lines))).toEqual({ text: plan(...lines), fixed: [] });
  });

  const crooked = fc
    .tuple(
      dialectPlans,
      fc.array(fc.constantFrom("-[ ] 7.1 A", "- [] B", "- [ ] 8.1 [p] C", "- [ ] 8.2 D\n  - **Verify**: `$ true`")),
    )
    .map(([text, lines]) => [text, ...lines].join("\n"));

  prop("keeps the existing tasks, with their boxes", [crooked], (text) => {
    const idsIn = (read: string): string[] => readPlan(read).tasks.map(({ id, done }) => `${id} ${done}`);
    const after = new Set(idsIn(fixPlan(text).text));
    expect(idsIn(text).filter((id) => !after.has(id))).toEqual([]);
  });
});
