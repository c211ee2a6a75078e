import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const ids = (text: string): string[] => readPlan(text).tasks.map(({ id }) => id);

describe("readPlan", () => {
  it("reads a task, its fields and its phase", () => {
    const text = lines(
      "# Tasks",
      "",
      "## Phase 1: Proof",
      "",
      "- [x] 1.1 [P] [US1] Add `parser`",
      "  - **Do**:",
      "    1. Create it",
      "    2. Register it",
      "  - **Files**: src/parser.ts, src/index.ts",
      "  - **Done when**: It parses",
      "  - **Verify**: `npm test`",
      "  - **Commit**: `feat: add parser`",
      "  - _Requirements: FR-1_",
    );
    expect(readPlan(text)).toMatchObject({
      tasks: [
        {
          id: "1.1",
          title: "Add `parser`",
          markers: ["P", "US1"],
          done: true,
          phase: "Phase 1: Proof",
          fields: {
            do: "1. Create it\n    2. Register it",
            files: "src/parser.ts, src/index.ts",
            doneWhen: "It parses",
            verify: "`npm test`",
            commit: "`feat: add parser`",
          },
          fixOf: null,
          line: 5,
          start: text.indexOf("- [x]"),
          end: text.length - 1,
          box: text.indexOf("x]"),
        },
      ],
      phases: [{ title: "Phase 1: Proof", line: 3, tasks: ["1.1"] }],
      problems: [],
    });
  });

  it.each([
    ["dotted numbers", "- [ ] 1.2.3 Title", "1.2.3"],
    ["letters after numbers", "- [ ] 1.2a Title", "1.2a"],
    ["verification tasks", "- [ ] V4 [VERIFY] Title", "V4"],
    ["names before a marker", "- [ ] VE-BROWSER [VERIFY] Title", "VE-BROWSER"],
    ["fixes of such names", "- [ ] VF.1 [FIX VF] Title", "VF.1"],
    ["numbered prefixes", "- [ ] AC-1.2 Title", "AC-1.2"],
    ["spec-kit", "- [ ] T001 [P] [US1] Title", "T001"],
    ["bold ids", "- [ ] **T001** Title", "T001"],
    ["ids in code", "- [ ] `1.1`: Title", "1.1"],
    ["Kiro", "- [ ] 1. Title", "1"],
    ["brackets", "- [ ] [SETUP-001] Title", "SETUP-001"],
    ["brackets of spec-kit", "- [ ] [T001] [P] Title", "T001"],
    ["the word Task in bold", "- [ ] **Task 7.1**: Title", "7.1"],
    ["a dash", "- [ ] 1.1 - Title", "1.1"],
    ["a long dash", "- [ ] **1.1** \u2014 Title", "1.1"],
    ["a colon", "- [ ] 1.1: Title", "1.1"],
    ["a missing blank", "- [x]1.1 Title", "1.1"],
    ["an optional box", "- [ ]* 1.1 Title", "1.1"],
    ["an escaped optional box", "- [ ]\\* 1.1 Title", "1.1"],
    ["a box in progress", "- [-] 1.1 Title", "1.1"],
    ["a deferred box", "- [~] 1.1 Title", "1.1"],
    ["a setext underline", "- [ ] 1.1 Title\n  ---", "1.1"],
    ["a title on two lines", "- [ ] 1.1 Ti\n  tle", "1.1"],
    ["a box on the next line", "-\n  [ ] 1.1 Title", "1.1"],
    ["an ordered list", "1. [ ] 1.1 Title", "1.1"],
    ["a list in a list", "- - [ ] 1.1 Title", "1.1"],
  ])("reads ids of %s", (_, text, id) => {
    const [task] = readPlan(text).tasks;
    expect(task?.id).toBe(id);
    expect(task?.title.replace(" ", "")).toBe("Title");
  });

  it.each(["- [ ] 3 个测试", "- [ ] 4 cups of tea", "- [ ] [US1] Title", "- [ ] [P1] Title"])(
    "reads no id in %s",
    (text) => {
      expect(readPlan(text).tasks[0]?.id).toMatch(/^H\d{6}$/);
    },
  );

  it.each([
    ["a fence", "```\n- [ ] 9.9 Not\n```\n"],
    ["a fence in a task", "- [ ] 1.1 One\n  ```\n  - [ ] 9.9 Not\n  ```\n"],
    ["a comment", "<!--\n- [ ] 9.9 Not\n-->\n"],
    ["a quote", "> - [ ] 9.9 Not\n"],
    ["front matter", "---\ntasks: '[ ]'\n---\n"],
    ["a paragraph", "text\n    - [ ] 9.9 Not\n"],
    ["indented code", "    - [ ] 9.9 Not\n"],
    ["a step of a task", "- [ ] 1.1 One\n  - **Do**: match `- [ ]` and `- [x] 9.9`\n"],
  ])("finds no task in %s", (_, text) => {
    expect(ids(text)).not.toContain("9.9");
  });

  it("reads a document that begins with a thematic break", () => {
    expect(ids("---\n- [ ] 1.1 Add\n")).toEqual(["1.1"]);
    expect(ids("---\n\n# Plan\n\n- [ ] 1.1 Add\n\n---\n\n- [ ] 1.2 Add\n")).toEqual(["1.1", "1.2"]);
  });

  it("reads a box without an id in a task as a check of the task", () => {
    const [task, ...others] = readPlan("- [ ] 9 Nine\n  - [x] ✅ works\n  - [ ] 9.1 Sub\n").tasks;
    expect(others.map(({ id }) => id)).toEqual(["9.1"]);
    expect(task?.end).toBe(44);
  });

  it.each([
    ["nested tasks", Array.from({ length: 100 }, (_, depth) => `${"  ".repeat(depth)}- [ ] ${depth} a`).join("\n")],
    ["bullets on one line", "- ".repeat(100_000)],
    ["quotes on one line", ">".repeat(100_000)],
    ["brackets", "[".repeat(100_000)],
    ["underlined headings", "a\n=\n".repeat(3_000)],
    ["unclosed fences", "````\n# a\n```\n".repeat(3_000)],
    ["comments", "<!--\n# a\n-->\n".repeat(3_000)],
    ["quotes in a task", `- [ ] a\n  - ${">".repeat(100_000)}`],
    ["half a character", "- [ ] \ud800\0\n"],
  ])("reads any number of %s", (_, text) => {
    expect(readPlan(text).tasks.length).toBeGreaterThanOrEqual(0);
  });

  it("ends an unclosed fence before the next task", () => {
    const text = "- [ ] 1.1 One\n  ```\n  x\n\n- [ ] 1.2 Two\n";
    expect(readPlan(text).tasks.map(({ start, end }) => text.slice(start, end))).toEqual([
      "- [ ] 1.1 One\n  ```\n  x",
      "- [ ] 1.2 Two",
    ]);
  });

  it("reads fields without indentation as part of the task before them", () => {
    const text = lines("- [ ] 1.1 One", "", "**Verify**:", "", "```bash", "npm test", "```", "", "**Checkpoint**: ok");
    expect(readPlan(text).tasks[0]).toMatchObject({
      end: text.indexOf("```\n\n") + 3,
      fields: { verify: "```bash\nnpm test\n```" },
    });
  });

  it("reads the steps and the fence after a label in a paragraph as its field, up to the next label", () => {
    const body = "\n  **Do**:\n\n  1. a\n  2. b\n\n  **Verify**:\n\n  ```\n  c\n  ```\n\n  - **Files**: d\n  -\n";
    expect(readPlan(`- [ ] 1.1 One\n${body}`).tasks[0]?.fields).toEqual({
      do: "1. a\n  2. b",
      verify: "```\n  c\n  ```",
      files: "d",
    });
  });

  it("reads fields below a paragraph", () => {
    const text = "- [ ] 1.1 One\n  - **Do**: a\n\n  text\n  - **Files**: b\n";
    expect(readPlan(text).tasks[0]?.fields).toEqual({ do: "a", files: "b" });
  });

  it("reads fields that are indented unevenly", () => {
    const text = "- [ ] 1.1 One\n  - **Do**: a\n   - **Files**: b\n  - **Commit**: c\n";
    expect(readPlan(text).tasks[0]?.fields).toEqual({ do: "a", files: "b", commit: "c" });
  });

  it("ends HTML at the next blank line", () => {
    expect(ids("- [ ] 1.1 One\n\n<div>\n- [ ] 9.9 No\n# No\n\n- [ ] 1.2 Two\n")).toEqual(["1.1", "1.2"]);
    expect(ids("- [ ] 1.1 One\n\n<div>\n\n- [ ] 1.2 Two\n")).toEqual(["1.1", "1.2"]);
  });

  it("does not read code as a label", () => {
    expect(readPlan("- [ ] 1.1 One\n\n      **Do**: code\n").tasks[0]?.fields).toEqual({});
  });

  it("reads a byte order mark in the middle as text", () => {
    const text = "---\na: b\n---\n\uFEFF- text\n  [link][a]\n- [ ] 1.1 One\n";
    expect(readPlan(text).tasks.map(({ start }) => start)).toEqual([text.indexOf("- [ ]")]);
  });

  it("finds no tasks below a hundred levels", () => {
    expect(ids(`${"- ".repeat(40)}[ ] 1.1 One\n`)).toEqual(["1.1"]);
    expect(ids(`${"- ".repeat(150)}[ ] 1.1 One\n`)).toEqual([]);
  });

  it("continues after consecutive fences that contain each other's marks", () => {
    const fences = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? "```\n- [ ] 9.9 No\n```" : "~~~\n# No\n~~~"));
    expect(ids(`- [ ] 1.1 One\n\n${fences.join("\n")}\n\n- [ ] 1.2 Two\n`)).toEqual(["1.1", "1.2"]);
  });

  it("reads items without a box as part of the task before them", () => {
    const text = "- [ ] 1.1 One\n- **Files**: a.ts\n- [ ] 1.2 Two\n";
    expect(readPlan(text).tasks[0]).toMatchObject({ end: 31, fields: { files: "a.ts" } });
  });

  it("reads labels in any case, and the first of two equal ones", () => {
    const { fields } = readPlan("- [ ] 1.1 One\n  - **DO:** a\n  - **do**: b\n  - **Note**: c\n").tasks[0] ?? {};
    expect(fields).toEqual({ do: "a" });
  });

  it("names tasks without an id by their title, with different names for equal titles", () => {
    const [one, two, three] = ids("- [ ] Same\n- [ ] Same\n- [ ] Other\n");
    expect(one).toMatch(/^H\d{6}$/);
    expect(two).toBe(`${one}b`);
    expect(three).toMatch(/^H\d{6}$/);
  });

  it("finds the original of a fix", () => {
    const plan = readPlan("- [ ] Write it\n");
    const id = plan.tasks[0]?.id;
    expect(readPlan(`- [ ] Write it\n- [ ] ${id}.1 [FIX ${id}] Fix: it\n`)).toMatchObject({
      tasks: [{ id }, { id: `${id}.1`, fixOf: id }],
      problems: [],
    });
  });

  it("groups tasks by the nearest heading of any level", () => {
    const text =
      "- [ ] 0.1 Zero\n\n# Plan\n\n## A\n\n- [ ] 1.1 One\n\n- [ ] 1.1a One\n\n### B ###\n\n- [ ] 1.2 Two\n\nC\n---\n\n- [ ] 1.3 Three\n";
    expect(readPlan(text).tasks.map(({ phase }) => phase)).toEqual([null, "A", "A", "B", "C"]);
    expect(readPlan(text).phases).toEqual([
      { title: "A", line: 5, tasks: ["1.1", "1.1a"] },
      { title: "B", line: 11, tasks: ["1.2"] },
      { title: "C", line: 15, tasks: ["1.3"] },
    ]);
  });

  it.each([
    ["no-tasks", "error", "# Nothing\n", 1],
    ["duplicate-id", "error", "- [ ] 1.1 One\n- [ ] 1.1 Again\n", 2],
    ["fix-without-original", "error", "- [ ] 1.1 [FIX 1.0] Fix\n", 1],
    ["near-miss-task", "warning", "- [ ] 1.1 One\n\n-[x] 3.2 Near\n", 3],
    ["near-miss-task", "warning", "- [ ] 1.1 One\n- [] 3.2 Near\n", 2],
    ["open-fence", "warning", "- [ ] 1.1 One\n  ```\n  x\n", 2],
    ["open-fence", "warning", "- [ ] 1.1 One\n\n~~~\nx\n", 3],
    ["heading-task", "warning", "- [ ] 1.1 One\n\n### Task 1.2: Two\n", 3],
  ])("reports %s as %s with its line", (rule, severity, text, line) => {
    expect(readPlan(text).problems).toMatchObject([{ rule, severity, line }]);
  });

  it.each([undefined, null, 1])("refuses %j, which is not a text", (given) => {
    const refusal = expect.objectContaining({ code: "plan-not-text", message: expect.stringContaining("got ") });
    expect(() => readPlan(given as never)).toThrow(refusal);
  });

  it("names both lines of a repeated id", () => {
    const [problem] = readPlan("- [ ] 1.1 One\n\n- [ ] 1.1 Again\n").problems;
    expect(problem?.message).toBe("Task id `1.1` is on lines 1 and 3");
  });

  it("does not report links as near misses", () => {
    expect(readPlan("- [ ] 1.1 One\n\n# More\n\n- [x](url)\n- [1] note\n").problems).toEqual([]);
  });
});
