import { describe, expect, it } from "vitest";
import { styleOf, type TaskStyle } from "../../../src/markdown/insert/read-sibling.ts";
import { type BlockTask, readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";

const usual: TaskStyle = { prefix: "", marker: "-", gap: " ", indent: 2, bullet: "-" };

describe("styleOf", () => {
  it.each<[string, string, Partial<TaskStyle>]>([
    ["no fields", "- [ ] 1.3 Parse\n", {}],
    ["fields with another bullet", "- [ ] 1.3 Parse\n  * **Do**: Read it\n", { bullet: "*" }],
    ["fields further in", "- [ ] 1.3 Parse\n    - **Do**: Read it\n", { indent: 4 }],
    ["fields further in, with a tab in their text", "- [ ] 1.3 Parse\n    - **Do**: Read\tit\n", { indent: 4 }],
    ["fields behind a tab", "- [ ] 1.3 Parse\n\t- **Do**: Read it\n", {}],
    ["a wide gap", "1.    [ ] 1.3 Parse\n        - **Do**: Read it\n", { marker: "1.", gap: "    ", indent: 8 }],
    [
      "a wide gap and fields more than eight columns in",
      "1.    [ ] 1.3 Parse\n         - **Do**: Read it\n",
      { marker: "1.", gap: "    ", indent: 6 },
    ],
    ["a blank and a tab before its box", "- \t[ ] 1.3 Parse\n", { gap: "   ", indent: 4 }],
    ["a number", "12. [ ] 1.3 Parse\n", { marker: "12.", indent: 4 }],
    ["another bullet before its own", "* - [ ] 1.3 Parse\n", { prefix: "  " }],
  ])("reads how a task with %s is written", (_, text, style) => {
    expect(styleOf(text, readBlocks(text).tasks[0] as BlockTask)).toEqual({ ...usual, ...style });
  });
});
