import { describe, expect, it } from "vitest";
import type { SiblingStyle } from "../../../src/markdown/insert/read-sibling.ts";
import { renderNewTask } from "../../../src/markdown/insert/render-task.ts";
import type { TaskFields } from "../../../src/model/task.ts";

const style: SiblingStyle = { prefix: "", marker: "-", gap: " ", indent: 2, bullet: "-", writeId: (id) => id };
const linesOf = (title: string, fields: TaskFields): readonly string[] =>
  renderNewTask({ id: "1.9", markers: [], title, fields }, style).lines;

describe("renderNewTask", () => {
  it.each<[string, string, TaskFields, string[]]>([
    ["title", "# of retries", {}, ["- [ ] 1.9 # of retries"]],
    ["text", "New", { do: "# of retries is shown" }, ["- [ ] 1.9 New", "  - **Do**: # of retries is shown"]],
    ["commit", "New", { commit: "- let `read` nest" }, ["- [ ] 1.9 New", "  - **Commit**: - let `read` nest"]],
  ])("leaves a mark that begins no block at the start of a %s as it is", (_, title, fields, lines) => {
    expect(linesOf(title, fields)).toEqual(lines);
  });

  it.each<[string, string, string[]]>([
    [
      "a step of several lines",
      "Read it:\n1. Find the block\n2. Read its fields\n3. Report what\n   is missing",
      ["  - **Do**: Read it:", "    1. Find the block", "    2. Read its fields", "    3. Report what is missing"],
    ],
    [
      "one step of several lines",
      "Read it:\n1. Find the block\n   and read it",
      ["  - **Do**: Read it:", "    1. Find the block and read it"],
    ],
    [
      "numbered steps behind others",
      "- Read the notes\n1) Find the block\n2) Read it",
      ["  - **Do**:", "    - Read the notes", "    1. Find the block", "    2. Read it"],
    ],
  ])("writes a text with %s", (_, text, lines) => {
    expect(linesOf("New", { do: text }).slice(1)).toEqual(lines);
  });

  it("keeps the first hundred lines of a text", () => {
    const steps = Array.from({ length: 120 }, (_, index) => `${index + 1}. Step ${index + 1}`);
    expect(linesOf("New", { do: steps.join("\n") }).slice(2)).toEqual(steps.slice(0, 100).map((step) => `    ${step}`));
  });

  it("writes what is quoted below Do, each in a fence that it cannot close", () => {
    const quotes = [
      { label: "What failed:", text: "\n1. a > b\n\n   expected: [x] ```\n" },
      { label: "What was said:", text: " \u200b\n" },
    ];
    const { lines } = renderNewTask(
      { id: "1.9", markers: [], title: "New", fields: { do: "Mend it", files: "." }, quotes },
      style,
    );
    expect(lines).toEqual([
      "- [ ] 1.9 New",
      "  - **Do**: Mend it",
      "",
      "    What failed:",
      "",
      "    ````text",
      "    1. a > b",
      "",
      "       expected: (x) ```",
      "    ````",
      "  - **Files**: .",
    ]);
    expect(renderNewTask({ id: "1.9", markers: [], title: "New", fields: {}, quotes }, style).lines).toHaveLength(1);
  });

  it("writes a commit of several lines on one", () => {
    expect(linesOf("New", { commit: "feat(a): read blocks\nThey may nest." })).toContain(
      "  - **Commit**: `feat(a): read blocks They may nest.`",
    );
  });
});
