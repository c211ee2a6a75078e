import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { fixEdit, insertFixTask } from "../../src/markdown/insert-fix-task.ts";
import { readVerify } from "../../src/markdown/tasks/read-verify.ts";
import { InputError } from "../../src/model/errors.ts";
import type { FixTask } from "../../src/model/failure.ts";
import { sampleFix } from "../support/sample-fix.ts";

const fix: FixTask = { ...sampleFix, verify: "npm test" };
const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    if (error instanceof InputError) return error.code;
    throw error;
  }
  return undefined;
};

describe("insertFixTask", () => {
  it("writes the fix task of the source's example character for character", () => {
    const original = [
      "- [ ] 1.3 Add failure parser",
      "  - **Do**: Add parsing logic to implement.md",
      "  - **Files**: plugins/ralph-specum/commands/implement.md",
      "  - **Done when**: Parser extracts error details",
      '  - **Verify**: grep -q "Parse Failure" implement.md',
      "  - **Commit**: feat(coordinator): add failure parser",
      "",
    ];
    expect(insertFixTask(lines(...original, "- [ ] 1.4 Next task"), fix)).toBe(
      lines(
        ...original,
        "- [ ] 1.3.1 [FIX 1.3] Fix: File not found: src/parser.ts",
        "  - **Do**: Address the error: File not found: src/parser.ts",
        "    1. Analyze the failure: Checked alternate paths",
        "    2. Review related code in Files list",
        "    3. Implement fix for: File not found: src/parser.ts",
        "  - **Files**: plugins/ralph-specum/commands/implement.md",
        '  - **Done when**: Error "File not found: src/parser.ts" no longer occurs',
        '  - **Verify**: grep -q "Parse Failure" implement.md',
        "  - **Commit**: `fix(recovery): address missing file from task 1.3`",
        "",
        "- [ ] 1.4 Next task",
      ),
    );
  });

  it("puts fixes after existing fixes, so that ids are in order", () => {
    let plan = lines("- [ ] 1.3 Three", "- [ ] 1.4 Four");
    const place = (id: string, fixOf: string): string => insertFixTask(plan, { ...fix, id, fixOf });
    plan = place("1.3.1", "1.3");
    plan = place("1.3.1.1", "1.3.1");
    plan = place("1.3.2", "1.3");
    plan = place("1.3.1.2", "1.3.1");
    expect(openPlan(plan).plan.tasks.map(({ id }) => id)).toEqual([
      "1.3",
      "1.3.1",
      "1.3.1.1",
      "1.3.1.2",
      "1.3.2",
      "1.4",
    ]);
  });

  it("returns the same text if the fix task already exists", () => {
    const plan = insertFixTask("- [ ] 1.3 Three\n", fix);
    expect(insertFixTask(plan, { ...fix, error: "Something else" })).toBe(plan);
    expect(fixEdit(openPlan(plan), fix)).toMatchObject({ start: plan.length - 1, end: plan.length - 1, text: "" });
  });

  it("uses the fallbacks if the repaired task has no Files and no Verify", () => {
    const nothing = { summary: "", error: " \n", attemptedFix: "", doneWhen: "\t" };
    const plan = insertFixTask("- [ ] 1.3 Three", { ...sampleFix, ...nothing });
    expect(plan.split("\n").slice(1)).toEqual([
      "- [ ] 1.3.1 [FIX 1.3] Fix: task 1.3 failure",
      "  - **Do**: Address the error: Task execution failed",
      "    1. Analyze the failure: No previous fix attempted",
      "    2. Review related code in Files list",
      "    3. Implement fix for: Task execution failed",
      "  - **Files**: .",
      '  - **Done when**: Error "Task execution failed" no longer occurs',
      "  - **Commit**: `fix(recovery): address missing file from task 1.3`",
    ]);
  });

  it("has a Commit if none is given, and no Verify", () => {
    const { fields } =
      openPlan(insertFixTask("- [ ] 1.3 Three", { ...fix, files: "", verify: " ", commit: "" })).plan.tasks[1] ?? {};
    expect(fields).toMatchObject({ files: ".", commit: "`fix: address error from task 1.3`" });
    expect(fields).not.toHaveProperty("verify");
  });

  it.each([
    ["has none", []],
    ["has one in words", ["  - **Verify**: Look at it"]],
    ["has a duplicate", ["  - **Verify**: Look at it", "  - **Verify**: `look`"]],
    ["has an empty one", ["  - **Verify**:"]],
  ])("writes no Verify for a fix without one, if the repaired task %s", (_, verify) => {
    const plan = lines("- [ ] 1.3 Three", "  - **Files**: src/a.ts", ...verify, "- [ ] 1.4 Four");
    const after = openPlan(insertFixTask(plan, sampleFix));
    const made = after.plan.tasks.find(({ id }) => id === "1.3.1");
    expect(Object.keys(made?.fields ?? {}).toSorted()).toEqual(["commit", "do", "doneWhen", "files"]);
    expect(readVerify(made?.fields.verify)).toEqual(readVerify(undefined));
    expect(made?.fields.files).toBe("src/a.ts");
    expect(after.text.split("Verify")).toHaveLength(verify.length + 1);
  });

  it.each([
    ["the given command", "a.test.ts > adds no longer fails, and no other check fails", null],
    ["one line", "adds no longer fails\n- [ ] 9.9 Added\n  - **Verify**: `rm -rf /`", null],
    ["code marks as they are", "`adds` no longer fails", null],
    ["a fence that never ends", "```\nno longer fails", null],
    ["a comment that never ends", "<!-- no longer fails", null],
    ["no character that moves a cursor", "\u001b[2Jadds\u202e no longer fails\u2028- [ ] 9.9 Added", null],
    ["another field", "- **Verify**: `reboot`", null],
    ["a signal", "TASK_COMPLETE", null],
    ["the statement that the error is gone, for a blank one", " \r\n\t", 'Error "boom" no longer occurs'],
  ])("states when the fix is done: %s", (_, doneWhen, expected) => {
    const plan = lines("- [ ] 1.3 Three", "  - **Verify**: npm test", "- [ ] 1.4 Four");
    const after = openPlan(insertFixTask(plan, { ...fix, error: "boom", doneWhen })).plan;
    expect(after.tasks.map(({ id }) => id)).toEqual(["1.3", "1.3.1", "1.4"]);
    const { fields } = after.tasks[1] ?? {};
    expect(fields?.verify).toBe("npm test");
    expect(fields?.doneWhen?.trim()).not.toBe("");
    expect(fields?.doneWhen?.split("\n")).toHaveLength(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
    expect(fields?.doneWhen).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202E]/);
    if (expected !== null) expect(fields?.doneWhen).toBe(expected);
  });

  it("uses the given values if Files and Verify of the repaired task are empty", () => {
    const plan = lines("- [ ] 1.3 Three", "  - **Files**:", "  - **Verify**:");
    const given = { ...fix, files: "src/a.ts", verify: "npm test" };
    expect(openPlan(insertFixTask(plan, given)).plan.tasks[1]?.fields).toMatchObject({
      files: "src/a.ts",
      verify: "npm test",
    });
  });

  it.each([
    ["", "  - **Verify**: a"],
    ["", "  **Verify**: `a` && `b`"],
    ["  ", "  - **Verify**: a"],
  ])("copies a list of Files unchanged, after %j and before %j", (margin, verify) => {
    const files = ["  - **Files**:", "    - src/a.ts", "    - src/b.ts"].map((line) => `${margin}${line}`).join("\n");
    const plan = `${margin === "" ? "" : "- [ ] 1 One\n"}${margin}- [ ] 1.3 Three\n${files}\n\n${margin}${verify}\n`;
    expect(insertFixTask(plan, fix).split(`\n${files}\n`)).toHaveLength(3);
  });

  it("writes a field of odd indentation below its own", () => {
    const plan = lines("- [ ] 1.3 Three", "  - **Do**: x", "   - **Verify**: npm test");
    expect(insertFixTask(plan, fix)).toContain("\n  - **Verify**: npm test\n");
  });

  it("copies a Verify of several lines unchanged", () => {
    const verify = ["  - **Verify**:", "    ```bash", "    set -e", "    npm test", "    ```"];
    const plan = insertFixTask(lines("- [ ] 1.3 Three", ...verify, "- [ ] 1.4 Four"), fix);
    expect(plan.split(verify.join("\n"))).toHaveLength(3);
  });

  it.each([
    ["a field in a paragraph", ["- [ ] 1.3 Three", "", "  **Verify**:", "", "  ```sh", "  npm test", "  ```", ""]],
    ["a field of two commands", ["- [ ] 1.3 Three", "", "  **Verify**: `npm test` && `npm run lint`"]],
    [
      "a field with other indentation",
      ["- [ ] 1.3 Three", "  - **Do**: x", "     - **Files**: b", "   - **Verify**: `a`"],
    ],
    [
      "a fence of several lines in a paragraph",
      ["- [ ] 1.3 Three", "", "  **Verify**:", "", "  ```", "  a", "", "  b", "  ```"],
    ],
  ])("keeps the command of %s", (_, plan) => {
    const { tasks } = openPlan(insertFixTask(lines(...plan), fix)).plan;
    expect(readVerify(tasks[1]?.fields.verify)).toEqual(readVerify(tasks[0]?.fields.verify));
    expect(readVerify(tasks[1]?.fields.verify).kind).toBe("command");
  });

  it("copies no box of a Verify that contains some", () => {
    const plan = lines("- [ ] 1.3 Three", "  - **Verify**:", "    - [ ] by hand", "    - [x] by eye");
    const fixed = openPlan(insertFixTask(plan, fix)).plan.tasks[1];
    expect(fixed?.fields.verify).toBe("- \\[ \\] by hand\n    - \\[x\\] by eye");
  });

  it("does not let an unclosed fence of the repaired task include its fields", () => {
    const plan = lines("- [ ] 1.3 Three", "  - **Verify**:", "    ```", "    npm test", "", "- [ ] 1.4 Four");
    const { tasks } = openPlan(insertFixTask(plan, fix)).plan;
    expect(tasks.map(({ id }) => id)).toEqual(["1.3", "1.3.1", "1.4"]);
    expect(tasks[1]?.fields.commit).toContain("fix(recovery)");
  });

  it.each([
    ["other bullets", "* [ ] 1.3 Three\n* [ ] 1.4 Four\n", "\n* [ ] 1.3.1 [FIX 1.3] Fix"],
    ["CRLF", "- [ ] 1.3 Three\r\n\r\n- [ ] 1.4 Four\r\n", "\r\n\r\n- [ ] 1.3.1 [FIX 1.3] Fix"],
    ["a tab after the bullet", "-\t[ ] 1.3 Three\n", "\n-   [ ] 1.3.1 [FIX 1.3] Fix"],
    ["a byte order mark", "\uFEFF- [ ] 1.3 Three\n", "\n- [ ] 1.3.1 [FIX 1.3] Fix"],
    ["a nested task", "- [ ] 1 One\n  - [ ] 1.3 Three\n  - [ ] 1.4 Four\n", "\n  - [ ] 1.3.1 [FIX 1.3] Fix"],
    ["wide fields", "- [ ] 1.3 Three\n    - **Do**: x\n", "\n    - **Do**: Address"],
    ["fields after tabs", "- [ ] 1.3 Three\n\t- **Do**: x\n", "\n  - **Do**: Address"],
    ["fields far to the right", "- [ ] 1.3 Three\n\n  a\n     - **Do**: x\n", "\n     - **Do**: Address"],
    ["tasks without blank lines", "- [ ] 1.1 One\n- [ ] 1.2 Two\n# Last\n- [ ] 1.3 Three\n", "Three\n- [ ] 1.3.1 [FIX"],
    [
      "tasks with blank lines, and another list",
      "- [ ] 1.1 One\n\n- [ ] 1.2 Two\n\n# Last\n- [ ] 1.3 Three\n",
      "Three\n- [ ] 1.3.1 [FIX",
    ],
    ["a misplaced fix", "- [ ] 1.3 Three\n\n# Later\n\n- [ ] 1.3.2 [FIX 1.3] Fix\n", "Three\n- [ ] 1.3.1 [FIX"],
    ["a blank line before the last task", "- [ ] 1.2 Two\n\n- [ ] 1.3 Three\n", "Three\n\n- [ ] 1.3.1 [FIX"],
    ["a dot after the id", "- [ ] 1.3. Three\n", "\n- [ ] 1.3.1. [FIX 1.3] Fix"],
    ["an ordered list", "1. [ ] 1.3 Three\n2. [ ] 1.4 Four\n", "\n1. [ ] 1.3.1 [FIX 1.3] Fix"],
    ["the last line without an end", "- [ ] 1.3 Three", "- [ ] 1.3 Three\n- [ ] 1.3.1 [FIX 1.3] Fix"],
    ["a heading after it", "- [ ] 1.3 Three\n  - x\n\n# Next", "x\n- [ ] 1.3.1 [FIX 1.3] Fix"],
  ])("writes the fix in the form of its task in a document with %s", (_, plan, expected) => {
    expect(insertFixTask(plan, fix)).toContain(expected);
  });

  it.each<[string, string[], string, string, string[]]>([
    [
      "a Kiro plan",
      ["- [ ] 1. One", "  - Make it", "  - [ ]* 1.1 Test it", "    - _Requirements: 1.1_", "", "- [ ] 2. Two"],
      "1",
      "1.2",
      ["    - _Requirements: 1.1_", "", "- [ ] 1.2 [FIX 1] Fix: E", "  - **Do**: Address the error: E"],
    ],
    [
      "a nested task of a Kiro plan",
      ["- [ ] 1. One", "  - [x] 1.1 Make it", "    - Now", "  - [ ] 1.2 Test it", "", "- [ ] 2. Two"],
      "1.1",
      "1.1.1",
      [
        "    - Now",
        "  - [ ] 1.1.1 [FIX 1.1] Fix: E",
        "    - **Do**: Address the error: E",
        "      1. Analyze the failure: A",
      ],
    ],
    [
      "a spec-kit plan",
      ["- [X] T001 [P] [US1] One in src/a.ts", "- [X] T002 Two", "", "**Checkpoint**: done"],
      "T002",
      "T002.1",
      ["- [X] T002 Two", "- [ ] T002.1 [FIX T002] Fix: E", "  - **Do**: Address the error: E"],
    ],
    [
      "an OpenSpec plan",
      ["## 1. Set up", "- [ ] 1.1 One", "", "## 2. Next", "- [ ] 2.1 Two", "- [ ] 2.2 Three"],
      "1.1",
      "1.1.1",
      ["- [ ] 1.1 One", "- [ ] 1.1.1 [FIX 1.1] Fix: E", "  - **Do**: Address the error: E"],
    ],
    [
      "ids in bold",
      ["- [ ] **1.1** One", "", "- [ ] **1.2** Two"],
      "1.1",
      "1.1.1",
      ["- [ ] **1.1** One", "", "- [ ] **1.1.1** [FIX 1.1] Fix: E", "  - **Do**: Address the error: E"],
    ],
  ])("writes the fix like a task of %s", (_, before, fixOf, id, expected) => {
    const text = lines(...before);
    const after = insertFixTask(text, { ...fix, id, fixOf, summary: "E", error: "E", attemptedFix: "A" });
    expect(after).toContain(`${expected.join("\n")}\n`);
    expect(openPlan(after).plan.tasks.find((task) => task.id === id)?.fixOf).toBe(fixOf);
  });

  it("keeps a heading directly after it separate", () => {
    expect(insertFixTask("- [ ] 1.3 Three\n# Next\n", fix)).toMatch(/1\.3`\n\n# Next\n$/);
  });

  it.each(["Text.\n\n", "```sh\nls\n```\n\n", `${"Long text.\n\n".repeat(400)}`])(
    "writes the fix below a heading that is a task, %#",
    (body) => {
      const text = `### Task 1: Header\n\n${body}- [ ] Write\n\n- [ ] Run\n\n### Task 2: Next\n\n- [ ] Write\n`;
      const after = insertFixTask(text, { ...fix, id: "1.1", fixOf: "1" });
      expect(openPlan(after).plan.tasks.map(({ id }) => id)).toEqual(["1", "1.1", "2"]);
      expect(after.replace(/- \[ \] 1\.1 [\s\S]*(?=### Task 2)/, "")).toBe(text);
    },
  );

  it("writes fixes of a task without an id", () => {
    const id = openPlan("- [ ] Write the parser\n").plan.tasks[0]?.id ?? "";
    const plan = insertFixTask("- [ ] Write the parser\n", { ...fix, id: `${id}.1`, fixOf: id });
    expect(openPlan(plan).plan).toMatchObject({ tasks: [{ id }, { id: `${id}.1`, fixOf: id }], problems: [] });
  });

  it("refuses a position where even generic texts would change the surroundings", () => {
    const open = "- [ ] 1.1 Add\n - **Do**:\n  ```\n- [ ] 1.2 Add";
    expect(() => insertFixTask(open, { ...fix, id: "1.1.1", fixOf: "1.1" })).toThrow(
      "Cannot insert fix task `1.1.1` below task `1.1`, expected that the rest of the document reads as before",
    );
  });

  it("refuses a missing task", () => {
    expect(codeOf(() => insertFixTask("- [ ] 1.4 Four\n", fix))).toBe("task-not-found");
  });

  it("refuses a duplicate task", () => {
    expect(codeOf(() => insertFixTask("- [ ] 1.3 Three\n- [ ] 1.3 Three\n", fix))).toBe("ambiguous-task");
  });

  it("refuses an id that another task has", () => {
    expect(() => insertFixTask("- [ ] 1.3 Three\n- [ ] 1.3.1 Planned\n", fix)).toThrow(
      expect.objectContaining({
        code: "unsafe-insert",
        message:
          "Cannot insert fix task `1.3.1` below task `1.3`, expected another id: the task on line 2 already has this id",
        hint: "Write the fix task below task `1.3` by hand.",
      }),
    );
  });

  it.each(["no id", "1.3", "1.3.", "1.4.1", "1.3.1.1", "1.3.1a", "11.3.1"])(
    "refuses %j, which is not a fix id of that task",
    (id) => {
      expect(() => insertFixTask("- [ ] 1.3 Three\n", { ...fix, id })).toThrow(
        expect.objectContaining({
          code: "unsafe-insert",
          message: `Cannot insert fix task \`${id}\` below task \`1.3\`, expected an id that consists of \`1.3.\` and a number`,
        }),
      );
    },
  );
});
