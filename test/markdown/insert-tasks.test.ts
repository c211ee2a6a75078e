import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdit, openPlan, type PlanDocument } from "../../src/markdown/document/plan-document.ts";
import { insertTasks, tasksEdits } from "../../src/markdown/insert-tasks.ts";
import { readVerify } from "../../src/markdown/tasks/read-verify.ts";
import { InputError } from "../../src/model/errors.ts";
import type { NewTask, PlanChange } from "../../src/model/plan-change.ts";
import type { TaskFields } from "../../src/model/task.ts";
import { documents, hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const newTask = (id: string, title: string, more: Partial<NewTask> = {}): NewTask => ({
  ...{ id, markers: [], title, fields: {} },
  ...more,
});
const split: PlanChange = {
  task: "1.3",
  place: "behind",
  tick: true,
  tasks: [
    newTask("1.3.1", "Read the block", {
      markers: ["P"],
      fields: {
        do: "Read it:\n1. Find the block\n2) Read its fields\n   one by one",
        files: "`src/a.ts`, src/b.ts",
        doneWhen: "Every field is read",
        verify: "`npm test -- a`",
        commit: "`feat(a): read blocks`",
      },
    }),
    newTask("1.3.2", "Read the rest"),
  ],
};
const refusal = (run: () => unknown): { code: string; message: string } | undefined => {
  try {
    run();
  } catch (error) {
    if (error instanceof InputError) return { code: error.code, message: error.message };
    throw error;
  }
  return undefined;
};
const plan = lines("- [ ] 1.3 Parse", "  - **Do**: It", "", "- [ ] 1.4 Print", "  - **Do**: That");

describe("insertTasks", () => {
  it("ticks a task and writes its parts after it", () => {
    expect(insertTasks(plan, split)).toBe(
      lines(
        "- [x] 1.3 Parse",
        "  - **Do**: It",
        "",
        "- [ ] 1.3.1 [P] Read the block",
        "  - **Do**: Read it:",
        "    1. Find the block",
        "    2. Read its fields one by one",
        "  - **Files**: `src/a.ts`, src/b.ts",
        "  - **Done when**: Every field is read",
        "  - **Verify**: `npm test -- a`",
        "  - **Commit**: `feat(a): read blocks`",
        "",
        "- [ ] 1.3.2 Read the rest",
        "",
        "- [ ] 1.4 Print",
        "  - **Do**: That",
      ),
    );
  });

  it("writes prerequisites before a task, which stays open", () => {
    expect(insertTasks(plan, { task: "1.4", place: "before", tasks: [newTask("1.3.9", "Prepare")] })).toBe(
      lines("- [ ] 1.3 Parse", "  - **Do**: It", "", "- [ ] 1.3.9 Prepare", "", "- [ ] 1.4 Print", "  - **Do**: That"),
    );
  });

  it("writes follow-ups after the fixes of a task", () => {
    const fixed = lines("- [x] 1.3 Parse", "- [x] 1.3.1 [FIX 1.3] Fix", "- [ ] 1.4 Print");
    expect(insertTasks(fixed, { task: "1.3", place: "behind", tasks: [newTask("1.3.2", "Then this")] })).toBe(
      lines("- [x] 1.3 Parse", "- [x] 1.3.1 [FIX 1.3] Fix", "- [ ] 1.3.2 Then this", "- [ ] 1.4 Print"),
    );
  });

  it.each<[string, string[], PlanChange["place"], string, string[]]>([
    [
      "nested tasks",
      ["- [ ] 2. Two", "  - [ ] 2.1 One", "    - a", "", "  - [ ] 2.2 Two", "- [ ] 3. Three"],
      "before",
      "2.1",
      ["- [ ] 2. Two", "  - [ ] 2.9 New", "", "  - [ ] 2.1 One", "    - a", "", "  - [ ] 2.2 Two", "- [ ] 3. Three"],
    ],
    [
      "tasks with others nested in them",
      ["- [ ] 2. Two", "  - [ ] 2.1 One", "- [ ] 3. Three"],
      "behind",
      "2",
      ["- [ ] 2. Two", "  - [ ] 2.1 One", "- [ ] 2.9 New", "- [ ] 3. Three"],
    ],
    [
      "flat lines without blank lines",
      ["- [X] T001 [P] [US1] One", "- [ ] T002 Two", "", "**Checkpoint**: done"],
      "behind",
      "T002",
      ["- [X] T001 [P] [US1] One", "- [ ] T002 Two", "- [ ] 2.9 New", "", "**Checkpoint**: done"],
    ],
    [
      "a heading right above",
      ["# A", "- [ ] 1.1 One", "", "- [ ] 1.2 Two"],
      "before",
      "1.1",
      ["# A", "- [ ] 2.9 New", "", "- [ ] 1.1 One", "", "- [ ] 1.2 Two"],
    ],
    [
      "another level between",
      ["- [ ] 1 One", "  - [ ] 1.1 a", "- [ ] 2 Two"],
      "before",
      "2",
      ["- [ ] 1 One", "  - [ ] 1.1 a", "- [ ] 2.9 New", "- [ ] 2 Two"],
    ],
    [
      "a heading that is a task",
      ["### Task 1: A", "", "```", "ls", "```", "", "- [ ] One"],
      "before",
      "1",
      ["- [ ] 2.9 New", "", "### Task 1: A", "", "```", "ls", "```", "", "- [ ] One"],
    ],
    ["one task only", ["- [ ] 1.1 One"], "before", "1.1", ["- [ ] 2.9 New", "- [ ] 1.1 One"]],
    [
      "ids in bold",
      ["- [ ] **1.1** One", "- [ ] **1.2** Two"],
      "behind",
      "1.1",
      ["- [ ] **1.1** One", "- [ ] **2.9** New", "- [ ] **1.2** Two"],
    ],
    ["ids in bold with a mark", ["- [ ] **T01**: One"], "behind", "T01", ["- [ ] **T01**: One", "- [ ] **2.9**: New"]],
    ["titles in bold", ["- [ ] **1. One**"], "behind", "1", ["- [ ] **1. One**", "- [ ] 2.9 New"]],
    ["no ids", ["- [ ] **Set** up"], "before", "", ["- [ ] 2.9 New", "- [ ] **Set** up"]],
  ])("writes tasks in the form of the others in a plan with %s", (_, before, place, task, after) => {
    const text = lines(...before);
    const id = task === "" ? (openPlan(text).plan.tasks[0]?.id ?? "") : task;
    expect(insertTasks(text, { task: id, place, tasks: [newTask("2.9", "New")] })).toBe(lines(...after));
  });

  it.each([
    ["4", "- [ ] 3. Three\n", "- [ ] 4. New\n"],
    ["3.1", "- [ ] 3. Three\n", "- [ ] 3.1 New\n"],
    ["3.1", "- [ ] 3: Three\n", "- [ ] 3.1: New\n"],
    ["3.3", "- [ ] 3.2. Three\n", "- [ ] 3.3. New\n"],
  ])("writes after the id %s the punctuation of other ids in the plan", (id, text, added) => {
    const [task = { id: "" }] = openPlan(text).plan.tasks;
    expect(insertTasks(text, { task: task.id, place: "behind", tasks: [newTask(id, "New")] })).toBe(
      `${text}${added}`.replace(/\n$/, "").concat("\n"),
    );
  });

  it("is idempotent", () => {
    const once = insertTasks(plan, split);
    expect(insertTasks(once, split)).toBe(once);
  });

  it("ticks the task if only that is left to do", () => {
    const untouched = insertTasks(plan, { ...split, tick: false });
    expect(insertTasks(untouched, split)).toBe(insertTasks(plan, split));
    expect(tasksEdits(openPlan(untouched), split)).toEqual([{ start: 3, end: 4, text: "x" }]);
  });

  it.each<[string, string | undefined, string]>([
    ["inline code", "`a`", "`a`"],
    ["inline code with marks", "`` a `b` ``", "`` a `b` ``"],
    ["several pieces of inline code", "`a` && `b`", "`a && b`"],
    [
      "a bare command with words that mean something to fixpoint",
      "grep '[x]' TASK_COMPLETE",
      "grep '[x]' TASK_COMPLETE",
    ],
    ["a fence", "\n```bash\nset -e\n  npm test\n```", "```bash\n    set -e\n      npm test\n    ```"],
    ["bare lines, which are not bullets", "npm test\nnpm run lint", "- npm test\n    - npm run lint"],
    ["text with code", "Run `a` [x] by hand", "Run `a` \\[x\\] by hand"],
    ["a code span that is blank", "``` ```", "``` ```"],
  ])("keeps the command of a Verify that is %s", (_, verify, written) => {
    const change: PlanChange = {
      task: "1.3",
      place: "behind",
      tasks: [newTask("1.9", "New", { fields: { verify } as never })],
    };
    const found = openPlan(insertTasks(plan, change)).plan.tasks[1]?.fields.verify;
    expect(found).toBe(written);
    expect(readVerify(found)).toEqual({
      ...readVerify(verify),
      ...(readVerify(found).kind === "unrunnable" && { reason: expect.any(String) }),
    });
  });

  it.each([
    [
      "steps alone",
      "- [x] a\n* # b\n+\n- TASK_COMPLETE",
      ["  - **Do**:", "    - \\[x\\] a", "    - \\# b", "    - TASK\\_COMPLETE"],
    ],
    ["only a mark", "1.", []],
    ["a label of its own", "x\n- **Verify**: rm -rf /", ["  - **Do**: x", "    - \\*\\*Verify**: rm -rf /"]],
    ["a fence", "a\n```\n- [ ] 9.9 b", ["  - **Do**: a ```", "    - \\[ \\] 9.9 b"]],
  ])("writes a text with %s below its label", (_, value, expected) => {
    const change: PlanChange = {
      task: "1.4",
      place: "behind",
      tasks: [newTask("1.9", "New", { fields: { do: value } })],
    };
    expect(insertTasks(plan, change).split("\n").slice(7, -1)).toEqual(expected);
  });

  it.each([
    ["feat: a", "`feat: a`"],
    ["` feat: a `", "`feat: a`"],
    ["feat: `a` <b>", "feat: `a` \\<b>"],
    ["[FIX 1] x", "`(FIX 1) x`"],
  ])("writes the commit %j as %j", (commit, written) => {
    const change: PlanChange = { task: "1.4", place: "behind", tasks: [newTask("1.9", "New", { fields: { commit } })] };
    expect(openPlan(insertTasks(plan, change)).plan.tasks[2]?.fields).toEqual({ commit: written });
  });

  it("does not read a bracket in a title as a marker", () => {
    const after = insertTasks(plan, { task: "1.3", place: "behind", tasks: [newTask("1.9", "[US1] a")] });
    expect(openPlan(after).plan.tasks[1]).toMatchObject({ title: "\\[US1] a", markers: [] });
  });

  it("writes a task without a title", () => {
    expect(insertTasks("- [ ] 1.3 Three", { task: "1.3", place: "behind", tasks: [newTask("1.9", " ")] })).toBe(
      "- [ ] 1.3 Three\n- [ ] 1.9",
    );
  });

  it.each<[string, Partial<PlanChange>, string, string]>([
    ["no tasks", { tasks: [] }, "empty-change", "at least one task"],
    ["an unknown task", { task: "9.9" }, "task-not-found", "9.9"],
    ["an ambiguous task", { task: "2.2" }, "ambiguous-task", "2.2"],
    ["an id that another task has", { tasks: [newTask("1.4", "New")] }, "unsafe-insert", "line 4"],
    [
      "an id of another task after a fresh one",
      { tasks: [newTask("1.9", "A"), newTask("1.4", "B")] },
      "unsafe-insert",
      "line 4",
    ],
    ["tasks of which one exists", { tasks: [newTask("1.4", "Print"), newTask("1.9", "A")] }, "unsafe-insert", "line 4"],
    [
      "the id of the task itself after a fresh one",
      { tasks: [newTask("1.9", "A"), newTask("1.3", "B")] },
      "unsafe-insert",
      "ids other than",
    ],
    ["the id of the task itself", { tasks: [newTask("1.3", "New")] }, "unsafe-insert", "ids other than"],
    ["one id twice", { tasks: [newTask("1.9", "A"), newTask("1.9", "B")] }, "unsafe-insert", "a different id for each"],
    ["an invalid id", { tasks: [newTask("none\u001b[1m", "A")] }, "unsafe-insert", "`none`"],
    ["an invalid marker", { tasks: [newTask("1.9", "A", { markers: ["a]b"] })] }, "unsafe-insert", "markers"],
    ["a fix of another task", { tasks: [newTask("1.9", "A", { markers: ["FIX 9.9"] })] }, "unsafe-insert", "FIX"],
    ["a marker that is a box", { tasks: [newTask("1.9", "A", { markers: ["x"] })] }, "unsafe-insert", "markers"],
    [
      "a marker that is a signal",
      { tasks: [newTask("1.9", "A", { markers: ["TASK_COMPLETE"] })] },
      "unsafe-insert",
      "markers",
    ],
    [
      "a hidden character in a command",
      { tasks: [newTask("1.9", "A", { fields: { verify: "`a\u202E`" } })] },
      "unsafe-insert",
      "Verify",
    ],
    [
      "halves of a character in a command",
      { tasks: [newTask("1.9", "A", { fields: { verify: "`a \ud83d \ude00`" } })] },
      "unsafe-insert",
      "Verify",
    ],
    [
      "a command that would lose a blank",
      { tasks: [newTask("1.9", "A", { fields: { verify: "- npm  test" } })] },
      "unsafe-insert",
      "Verify",
    ],
    [
      "a fence that is too long once it is indented",
      { tasks: [newTask("1.9", "A", { fields: { verify: `\`\`\`sh\n${"true\n".repeat(5000)}\`\`\`` } })] },
      "unsafe-insert",
      "Verify",
    ],
    [
      "a command that cannot be written",
      { tasks: [newTask("1.9", "A", { fields: { verify: `npm ${"x".repeat(600)} <!-- \u00a0` } })] },
      "unsafe-insert",
      "Verify",
    ],
  ])("refuses %s", (_, change, code, message) => {
    const text = `${plan}- [ ] 2.2 Two\n- [ ] 2.2 Two\n`;
    const found = refusal(() => insertTasks(text, { ...split, ...change }));
    expect(found?.code).toBe(code);
    expect(found?.message).toContain(message);
  });

  it("writes markers that only look like a box", () => {
    const tasks = [newTask("1.9", "New", { markers: ["UX", "XML"] })];
    expect(insertTasks(plan, { task: "1.4", place: "behind", tasks })).toContain("- [ ] 1.9 [UX] [XML] New\n");
  });

  it("states what it cannot insert, why, and what to do", () => {
    expect(() => insertTasks(plan, { ...split, tasks: [newTask("none", "A"), newTask("1.9", "B")] })).toThrow(
      expect.objectContaining({
        message:
          "Cannot insert `none`, `1.9` behind task `1.3`, expected that the rest of the document reads as before",
        hint: "Write the tasks behind task `1.3` by hand.",
      }),
    );
    expect(() => insertTasks(plan, { ...split, tasks: [] })).toThrow(
      expect.objectContaining({ hint: "Use `tickTask` to tick a task without inserting others." }),
    );
  });
});

describe("insertTasks, for every document and every proposal", () => {
  const texts = fc.oneof(
    hostileTexts,
    fc.array(hostileTexts, { maxLength: 4 }).map((all) => all.join("\n1. ")),
  );
  const proposals = fc.record({
    markers: fc.subarray(["P", "VERIFY", "US1"]),
    title: hostileTexts,
    fields: fc.record(
      {
        do: texts,
        files: texts,
        doneWhen: texts,
        verify: fc.oneof(
          hostileTexts,
          hostileTexts.map((text) => `\`${text}\``),
          hostileTexts.map((text) => `\`\`\`sh\n${text}\n\`\`\``),
        ),
        commit: hostileTexts,
      },
      { requiredKeys: [] },
    ),
    quotes: fc.array(
      fc.record({ label: hostileTexts, text: fc.array(hostileTexts, { maxLength: 4 }).map((all) => all.join("\n")) }),
      { maxLength: 2 },
    ),
  });
  const changes = fc.tuple(
    documents,
    fc.array(proposals, { minLength: 1, maxLength: 3 }),
    fc.nat(10),
    fc.constantFrom<PlanChange["place"]>("before", "behind"),
    fc.boolean(),
  );

  /** A tick also ticks the boxes in the fields of its task. */
  const withTicks = (fields: TaskFields): TaskFields =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value.replaceAll("[ ]", "[x]")]));

  const about = ({ plan: { tasks }, chunks, text }: PlanDocument, ticked?: string) => {
    const depths = chunks.flatMap((chunk) => chunk.tasks.map(({ depth }) => depth));
    return tasks.map(({ id, title, markers, done, fields, start, end }, index) => ({
      ...{ id, title, markers: [...markers], done: done || id === ticked, depth: depths[index] },
      // Ignores fields and text of parent tasks, because nested tasks extend them.
      ...((depths[index + 1] ?? 0) > (depths[index] ?? 0)
        ? {}
        : {
            fields: id === ticked ? withTicks(fields) : { ...fields },
            text: id === ticked ? null : text.slice(start, end),
          }),
    }));
  };

  const attempt = ([text, proposed, which, place, tick]: [
    string,
    Omit<NewTask, "id">[],
    number,
    PlanChange["place"],
    boolean,
  ]) => {
    const document = openPlan(text);
    const { tasks } = document.plan;
    const task = tasks[which % tasks.length];
    if (task === undefined || tasks.some(({ id }, index) => id === task.id && tasks[index] !== task)) return null;
    const change: PlanChange = {
      task: task.id,
      place,
      tick,
      tasks: proposed.map((one, index) => ({ ...one, id: `${task.id}.${901 + index}` })),
    };
    try {
      return { document, task, change, edits: tasksEdits(document, change) };
    } catch (error) {
      if (error instanceof InputError && error.code === "unsafe-insert") return null;
      throw error;
    }
  };

  prop("I7: changes no byte outside, and restores the original when undone", [changes], (given) => {
    const found = attempt(given);
    if (found === null) return;
    let { text } = found.document;
    for (const { start, end, text: inserted } of found.edits) {
      expect(end - start).toBe(inserted === "x" ? 1 : 0);
      const after = applyEdit(openPlan(text), { start, end, text: inserted }).text;
      expect(`${after.slice(0, start)}${text.slice(start, end)}${after.slice(start + inserted.length)}`).toBe(text);
      text = after;
    }
  });

  prop("I4, I6, I12, I13: adds exactly the intended tasks, and is idempotent", [changes], (given) => {
    const found = attempt(given);
    if (found === null) return;
    const { document, task, change, edits } = found;
    const { text } = edits.reduce(applyEdit, document);
    const after = openPlan(text);
    const index = after.plan.tasks.findIndex(({ id }) => id === change.tasks[0]?.id);
    const ticked = change.tick === true ? task.id : undefined;
    expect(about(after, ticked).toSpliced(index, change.tasks.length)).toEqual(about(document, ticked));
    expect(after.plan.tasks.find(({ id }) => id === task.id)?.done).toBe(task.done || change.tick);
    expect(Math.sign(after.plan.tasks.findIndex(({ id }) => id === task.id) - index)).toBe(
      change.place === "before" ? 1 : -1,
    );
    change.tasks.forEach(({ id, markers, fields }, at) => {
      const added = after.plan.tasks[index + at];
      expect(added).toMatchObject({ id, markers: [...markers], done: false, phase: task.phase });
      const verify = readVerify(fields.verify);
      if (verify.kind === "command") expect(readVerify(added?.fields.verify)).toEqual(verify);
      else expect(readVerify(added?.fields.verify).kind).toBe("unrunnable");
    });
    expect(insertTasks(text, change)).toBe(text);
  });

  prop("is refused only because of the document", [changes, fc.tuple(proposals, proposals)], (given, others) => {
    const [text, , which, place, tick] = given;
    const bare = others.map(({ fields: { verify: _, ...fields }, ...proposal }) => ({ ...proposal, fields }));
    const plain = bare.map((_, index) => ({ title: `New ${index}`, markers: [], fields: { do: "x" } }));
    const outcomes = [bare, plain].map((proposed) => attempt([text, proposed, which, place, tick]) === null);
    expect(outcomes[0]).toBe(outcomes[1]);
  });

  prop(
    "I13: shows line-based tools one box per task and no signal",
    [proposals],
    ({ fields: { verify: _, ...fields }, ...proposal }) => {
      const change: PlanChange = {
        task: "1.3",
        place: "before",
        tasks: [{ ...proposal, markers: [], fields, id: "1.2.9" }],
      };
      const [edit] = tasksEdits(openPlan("# Plan\n\n- [ ] 1.3 Three\n\n- [x] 1.4 Four\n"), change);
      const text = edit?.text ?? "";
      expect(text.split(/[\n\r\u2028\u2029\u0085\v\f]/).filter((line) => /[-*+] \[[ xX]\]/.test(line))).toHaveLength(1);
      expect(text).not.toMatch(/TASK_COMPLETE|VERIFICATION_PASS|<!--|\[VERIFY\]|\[P\]/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are none
      expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u200B]|\p{Cs}/u);
    },
  );
});

it.each([
  ["the title of a plan", "# Story 1: A\n\n## Definition of Done\n\n- [ ] Works\n- [ ] Fast\n"],
  ["a heading with few steps", "### Task 1: A\n\n- [ ] Write\n"],
])("refuses tasks with which %s would no longer be a task", (_, text) => {
  const tasks = [{ id: "2", markers: [], title: "More", fields: { do: "It" } }];
  expect(() => insertTasks(text, { task: "1", place: "behind", tasks })).toThrow(
    expect.objectContaining({ code: "unsafe-insert" }),
  );
});

it.each(["** More", "**\nMore", "· More", "– ** · More", "- More"])(
  "drops what would belong to the id: %j",
  (title) => {
    const change: PlanChange = { task: "1", place: "behind", tasks: [{ id: "2", markers: [], title, fields: {} }] };
    expect(insertTasks("- [ ] 1 First\n", change)).toBe("- [ ] 1 First\n- [ ] 2 More\n");
  },
);
