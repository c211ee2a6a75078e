import { describe, expect, it } from "vitest";
import { readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";
import { readFields } from "../../../src/markdown/tasks/read-fields.ts";

describe("readFields", () => {
  it.each([
    ["takes the steps of a label", ["**Do**:", "", "- Split it", "- Count"], { do: "- Split it\n  - Count" }],
    ["ends the steps at a check", ["**Do**:", "", "- Split it", "- [ ] It counts"], { do: "- Split it" }],
    ["ends a value at the next paragraph", ["**Do**: Split it", "", "It was agreed."], { do: "Split it" }],
    [
      "ends the steps at the next label",
      ["**Do**:", "", "- Split it", "- **Files**: a"],
      { do: "- Split it", files: "a" },
    ],
    ["leaves a label in a quote", ["> **Do**: Split it"], {}],
    ["leaves a label in indented code", ["    **Do**: Split it"], {}],
    ["leaves a label behind a box", ["- [ ] **Do**: Split it"], {}],
  ])("%s", (_, inside, fields) => {
    const text = ["- [ ] 1.1 Parse the log", "", ...inside.map((line) => `  ${line}`)].join("\n");
    expect(readBlocks(text).tasks.map((task) => readFields(text, task))).toEqual([fields]);
  });
});
