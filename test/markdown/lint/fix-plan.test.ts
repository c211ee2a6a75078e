import { describe, expect, it } from "vitest";
import { fixPlan } from "../../../src/markdown/lint/fix-plan.ts";

const plan = (...lines: readonly string[]): string => `# Plan\n\n${lines.join("\n")}\n`;

describe("fixPlan", () => {
  it.each([
    [
      "a box without a blank behind its bullet",
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
  ] as const)("mends %s", (_, before, after, [line, rule]) => {
    const mended = fixPlan(plan(...before));
    expect(mended).toEqual({ text: plan(...after), fixed: [{ line, rule }] });
    expect(fixPlan(mended.text)).toEqual({ text: mended.text, fixed: [] });
  });

  it("mends several, and keeps the line endings and all other bytes", () => {
    const text = "\uFEFF# Plan\r\n\r\n- [ ] 1.1 [red] Add  \r\n-[ ] 1.2 Test\r\n  - **Verify**: `$ true`";
    const { text: mended, fixed } = fixPlan(text);
    expect(mended).toBe("\uFEFF# Plan\r\n\r\n- [ ] 1.1 [RED] Add  \r\n- [ ] 1.2 Test\r\n  - **Verify**: `true`");
    expect(fixed.map(({ line }) => line)).toEqual([3, 3, 4]);
  });

  it.each([
    ["a mark that may mean anything", ["- [ ] 1.1 Add", "- [?] 1.2 Test"]],
    ["a marker elsewhere in the title", ["- [ ] 1.1 Check it [verify]", "- [ ] 1.2 Add"]],
    ["a misspelt marker", ["- [ ] 1.1 [VERFIY] Check", "- [ ] 1.2 Add"]],
    ["an id that stands twice then", ["- [ ] 1.1 Add", "-[ ] 1.1 Test"]],
    ["a sentence as a Verify", ["- [ ] 1.1 Add", "  - **Verify**: `make test passes`"]],
    [
      "a prompt in a fence",
      ["- [ ] 1.1 Add", "  - **Verify**:", "    ```sh", "    $ cd a", "    $ npm test", "    ```"],
    ],
    ["a command that stands there twice", ["- [ ] 1.1 Run `$ npm test`", "  - **Verify**: `$ npm test`"]],
    ["what no rule is about", ["- [ ] 1.1 Add", "```sh", "-[ ] 1.2 Test", "```"]],
  ])("leaves %s", (_, lines) => {
    expect(fixPlan(plan(...lines))).toEqual({ text: plan(...lines), fixed: [] });
  });
});
