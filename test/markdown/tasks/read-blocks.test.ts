import { describe, expect, it } from "vitest";
import { readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";

describe("readBlocks", () => {
  it.each([
    ["an underlined heading", "Moving\nhouse\n===\n", "Moving house"],
    ["a heading with closing marks", "## Moving house ##\n", "Moving house"],
  ])("reads the title of %s", (_, text, title) => {
    expect(readBlocks(text).headings).toMatchObject([{ title }]);
  });

  it("reads the title of a task that is an underlined heading", () => {
    expect(readBlocks("- [ ] 1.1 Parse the log\n  line by line\n  ===\n").tasks).toMatchObject([
      { id: "1.1", title: "Parse the log line by line" },
    ]);
  });

  it.each([
    ["an empty bullet", "- [ ] 1.1 Parse the log\n-", "\n\n## Next\n"],
    ["a line of one letter", "- [ ] 1.1 Parse\nx", "\n- [ ] 1.2 Print\n"],
  ])("ends a task with the line of %s", (_, block, behind) => {
    const [task] = readBlocks(block + behind).tasks;
    expect(task).toMatchObject({ start: 0, end: block.length });
  });

  it.each<[string, string, unknown[]]>([
    ["an open fence", "- [ ] 1.1 Parse\n\n```\nnpm test\n", [{ rule: "open-fence", line: 2 }]],
    ["a closed fence", "```\nnpm test\n```\n", []],
    ["indented code", "    npm test\n", []],
    ["a comment that is not closed", "<!-- to be done\n", []],
    [
      "a box without a bullet's blank in a paragraph",
      "To do:\n-[ ] 1.1 Parse\n-[ ] 1.2 Print\n",
      [1, 2].map((line) => ({ rule: "near-miss-task", line })),
    ],
  ])("tells the lines of %s that may be meant otherwise", (_, text, oddities) => {
    expect(readBlocks(text).oddities).toEqual(oddities);
  });
});
