import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixEdit, insertFixTask } from "../../src/markdown/insert-fix-task.ts";
import { applyEdit, openPlan, type PlanDocument } from "../../src/markdown/plan-document.ts";
import { readVerify } from "../../src/markdown/read-verify.ts";
import { InputError } from "../../src/model/errors.ts";
import type { FixTask } from "../../src/model/fix-task.ts";
import { documents, fixTexts, hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";

const fix: FixTask = {
  id: "1.3.1",
  fixOf: "1.3",
  summary: "File not found: src/parser.ts",
  error: "File not found: src/parser.ts",
  attemptedFix: "Checked alternate paths",
  files: ".",
  verify: "echo 'Verify manually'",
  commit: "fix(recovery): address missing file from task 1.3",
};

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
    const plan = lines(
      "- [ ] 1.3 Add failure parser",
      "  - **Do**: Add parsing logic to implement.md",
      "  - **Files**: plugins/ralph-specum/commands/implement.md",
      "  - **Done when**: Parser extracts error details",
      '  - **Verify**: grep -q "Parse Failure" implement.md',
      "  - **Commit**: feat(coordinator): add failure parser",
      "",
      "- [ ] 1.4 Next task",
    );
    expect(insertFixTask(plan, fix)).toBe(
      lines(
        "- [ ] 1.3 Add failure parser",
        "  - **Do**: Add parsing logic to implement.md",
        "  - **Files**: plugins/ralph-specum/commands/implement.md",
        "  - **Done when**: Parser extracts error details",
        '  - **Verify**: grep -q "Parse Failure" implement.md',
        "  - **Commit**: feat(coordinator): add failure parser",
        "",
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

  it("puts fixes behind the fixes that are there, so that ids read in order", () => {
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

  it("is the same text when the fix task stands there already", () => {
    const plan = insertFixTask("- [ ] 1.3 Three\n", fix);
    expect(insertFixTask(plan, { ...fix, error: "Something else" })).toBe(plan);
  });

  it("uses the fallbacks when the repaired task has no Files and no Verify", () => {
    const plan = insertFixTask("- [ ] 1.3 Three", { ...fix, summary: "", error: " \n", attemptedFix: "" });
    expect(plan.split("\n").slice(1)).toEqual([
      "- [ ] 1.3.1 [FIX 1.3] Fix: task 1.3 failure",
      "  - **Do**: Address the error: Task execution failed",
      "    1. Analyze the failure: No previous fix attempted",
      "    2. Review related code in Files list",
      "    3. Implement fix for: Task execution failed",
      "  - **Files**: .",
      '  - **Done when**: Error "Task execution failed" no longer occurs',
      "  - **Verify**: echo 'Verify manually'",
      "  - **Commit**: `fix(recovery): address missing file from task 1.3`",
    ]);
  });

  it("has a Verify and a Commit when it is given none", () => {
    const { fields } =
      openPlan(insertFixTask("- [ ] 1.3 Three", { ...fix, files: "", verify: " ", commit: "" })).plan.tasks[1] ?? {};
    expect(fields).toMatchObject({
      files: ".",
      verify: "echo 'Verify manually'",
      commit: "`fix: address error from task 1.3`",
    });
  });

  it("takes over a Verify of several lines as it stands", () => {
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

  it("flattens a Verify that holds boxes of its own", () => {
    const plan = lines("- [ ] 1.3 Three", "  - **Verify**:", "    - [ ] by hand", "    - [x] by eye");
    const fixed = openPlan(insertFixTask(plan, fix)).plan.tasks[1];
    expect(fixed?.fields.verify).toBe("- \\[ \\] by hand; - \\[x\\] by eye");
  });

  it("does not let an unclosed fence of the repaired task swallow its fields", () => {
    const plan = lines("- [ ] 1.3 Three", "  - **Verify**:", "    ```", "    npm test", "", "- [ ] 1.4 Four");
    const { tasks } = openPlan(insertFixTask(plan, fix)).plan;
    expect(tasks.map(({ id }) => id)).toEqual(["1.3", "1.3.1", "1.4"]);
    expect(tasks[1]?.fields.commit).toContain("fix(recovery)");
  });

  it.each([
    ["other bullets", "* [ ] 1.3 Three\n* [ ] 1.4 Four\n", "\n* [ ] 1.3.1 [FIX 1.3] Fix"],
    ["CRLF", "- [ ] 1.3 Three\r\n\r\n- [ ] 1.4 Four\r\n", "\r\n\r\n- [ ] 1.3.1 [FIX 1.3] Fix"],
    ["a tab behind the bullet", "-\t[ ] 1.3 Three\n", "\n-   [ ] 1.3.1 [FIX 1.3] Fix"],
    ["a byte order mark", "\uFEFF- [ ] 1.3 Three\n", "\n- [ ] 1.3.1 [FIX 1.3] Fix"],
    ["a nested task", "- [ ] 1 One\n  - [ ] 1.3 Three\n  - [ ] 1.4 Four\n", "\n  - [ ] 1.3.1 [FIX 1.3] Fix"],
    ["wide fields", "- [ ] 1.3 Three\n    - **Do**: x\n", "\n    - **Do**: Address"],
    ["fields behind tabs", "- [ ] 1.3 Three\n\t- **Do**: x\n", "\n  - **Do**: Address"],
    ["fields far to the right", "- [ ] 1.3 Three\n\n  a\n     - **Do**: x\n", "\n     - **Do**: Address"],
    ["tasks without blank lines", "- [ ] 1.1 One\n- [ ] 1.2 Two\n# Last\n- [ ] 1.3 Three\n", "Three\n- [ ] 1.3.1 [FIX"],
    [
      "tasks with blank lines",
      "- [ ] 1.1 One\n\n- [ ] 1.2 Two\n\n# Last\n- [ ] 1.3 Three\n",
      "Three\n\n- [ ] 1.3.1 [FIX",
    ],
    ["a fix elsewhere", "- [ ] 1.3 Three\n\n# Later\n\n- [ ] 1.3.2 [FIX 1.3] Fix\n", "Three\n- [ ] 1.3.1 [FIX"],
    ["a blank line before the last task", "- [ ] 1.2 Two\n\n- [ ] 1.3 Three\n", "Three\n\n- [ ] 1.3.1 [FIX"],
    ["a dot behind the id", "- [ ] 1.3. Three\n", "\n- [ ] 1.3.1. [FIX 1.3] Fix"],
    ["an ordered list", "1. [ ] 1.3 Three\n2. [ ] 1.4 Four\n", "\n1. [ ] 1.3.1 [FIX 1.3] Fix"],
    ["the last line without an end", "- [ ] 1.3 Three", "- [ ] 1.3 Three\n- [ ] 1.3.1 [FIX 1.3] Fix"],
    ["a paragraph right behind it", "- [ ] 1.3 Three\n  - x\n\n# Next", "\n\n- [ ] 1.3.1 [FIX 1.3] Fix"],
  ])("writes it like its task in a document with %s", (_, plan, expected) => {
    expect(insertFixTask(plan, fix)).toContain(expected);
  });

  it("keeps a heading right behind it apart", () => {
    expect(insertFixTask("- [ ] 1.3 Three\n# Next\n", fix)).toMatch(/1\.3`\n\n# Next\n$/);
  });

  it("makes fixes of a task that has no id written", () => {
    const id = openPlan("- [ ] Write the parser\n").plan.tasks[0]?.id ?? "";
    const plan = insertFixTask("- [ ] Write the parser\n", { ...fix, id: `${id}.1`, fixOf: id });
    expect(openPlan(plan).plan).toMatchObject({ tasks: [{ id }, { id: `${id}.1`, fixOf: id }], problems: [] });
  });

  it("refuses a task that is not there", () => {
    expect(codeOf(() => insertFixTask("- [ ] 1.4 Four\n", fix))).toBe("task-not-found");
  });

  it("refuses a task that is there twice", () => {
    expect(codeOf(() => insertFixTask("- [ ] 1.3 Three\n- [ ] 1.3 Three\n", fix))).toBe("ambiguous-task");
  });

  it("refuses an id that another task has", () => {
    expect(codeOf(() => insertFixTask("- [ ] 1.3 Three\n- [ ] 1.3.1 Planned\n", fix))).toBe("unsafe-insert");
  });

  it("refuses an id that would not read as one", () => {
    expect(codeOf(() => insertFixTask("- [ ] 1.3 Three\n", { ...fix, id: "no id" }))).toBe("unsafe-insert");
  });
});

describe("insertFixTask, for every document and every output of an executor", () => {
  const insertions = fc.tuple(documents, fixTexts, fc.nat(10));

  /** Everything about a task but its place. */
  const about = ({ plan, chunks, text }: PlanDocument) => {
    const depths = chunks.flatMap(({ tasks }) => tasks.map(({ depth }) => depth));
    return plan.tasks.map(({ id, title, markers, done, fields, start, end }, index) => ({
      ...{ id, title, markers: [...markers], done, depth: depths[index] },
      // A task that others stand in grows with them.
      ...((depths[index + 1] ?? 0) > (depths[index] ?? 0)
        ? {}
        : { fields: { ...fields }, text: text.slice(start, end) }),
    }));
  };

  const attempt = (text: string, texts: Omit<FixTask, "id" | "fixOf">, which: number) => {
    const document = openPlan(text);
    const { tasks } = document.plan;
    const task = tasks[which % tasks.length];
    if (task === undefined || tasks.some(({ id }, index) => id === task.id && tasks[index] !== task)) return null;
    const inserted = { ...texts, id: `${task.id}.901`, fixOf: task.id };
    try {
      return { document, task, inserted, edit: fixEdit(document, inserted) };
    } catch (error) {
      if (error instanceof InputError && error.code === "unsafe-insert") return null;
      throw error;
    }
  };

  prop("I7: changes no byte outside, and gives the original back when undone", [insertions], ([text, texts, which]) => {
    const found = attempt(text, texts, which);
    if (found === null) return;
    const { edit } = found;
    const after = applyEdit(found.document, edit).text;
    expect(edit.end).toBe(edit.start);
    expect(after.slice(0, edit.start)).toBe(text.slice(0, edit.start));
    expect(after.slice(edit.start, edit.start + edit.text.length)).toBe(edit.text);
    expect(after.slice(edit.start + edit.text.length)).toBe(text.slice(edit.start));
  });

  prop("I4, I6, I12, I13: adds exactly the intended task", [insertions], ([text, texts, which]) => {
    const found = attempt(text, texts, which);
    if (found === null) return;
    const { document, task, inserted, edit } = found;
    const after = openPlan(applyEdit(document, edit).text);
    const index = after.plan.tasks.findIndex(({ id }) => id === inserted.id);
    const added = after.plan.tasks[index];
    expect(about(after).toSpliced(index, 1)).toEqual(about(document));
    expect(index).toBeGreaterThan(document.plan.tasks.indexOf(task));
    expect(added).toMatchObject({ done: false, fixOf: task.id, phase: task.phase, markers: [`FIX ${task.id}`] });
    expect(Object.keys(added?.fields ?? {})).toHaveLength(5);
    const verify = readVerify(task.fields.verify);
    if (verify.kind === "command") expect(readVerify(added?.fields.verify)).toEqual(verify);
  });

  prop(
    "I13: shows machines that read lines one box and no signal",
    [hostileTexts, hostileTexts],
    (error, attemptedFix) => {
      const document = openPlan("# Plan\n\n- [ ] 1.3 Three\n\n- [x] 1.4 Four\n");
      const { text } = fixEdit(document, { ...fix, error, summary: error, attemptedFix, files: error, commit: error });
      expect(text.split(/[\n\r\u2028\u2029\u0085\v\f]/).filter((line) => /[-*+] \[[ xX]\]/.test(line))).toHaveLength(1);
      expect(text).not.toMatch(/TASK_COMPLETE|VERIFICATION_PASS|<!--|\[VERIFY\]|\[P\]/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
      expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u200B]|\p{Cs}/u);
    },
  );

  prop(
    "is refused because of the document only",
    [documents, fixTexts, fixTexts, fc.nat(10)],
    (text, one, other, which) => {
      expect(attempt(text, one, which) === null).toBe(attempt(text, other, which) === null);
    },
  );
});
