import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyEdit, openPlan, readPlan } from "../../src/markdown/document/plan-document.ts";
import { fixEdit } from "../../src/markdown/insert-fix-task.ts";
import { tickedIn } from "../../src/markdown/tick-task.ts";
import { nextTask, type Plan } from "../../src/model/plan.ts";
import { someCases } from "../support/some-cases.ts";

/** Form of a task: line, box, parent task, id, markers, title. */
const plans: Readonly<Partial<Record<Plan["dialect"], readonly string[]>>> = {
  "ralph-specum": [
    "# Phase 1: Make it work",
    "15 [x] 1.1 [P] Store events as they come",
    "25 [x] 1.2 [P] Read the settings of a user",
    "33 [ ] 1.2.3a [RED] Failing test of the time zone",
    "43 [x] 1.3 Write the digest",
    "48 [ ] 1.3.1 [FIX 1.3] Fix: subject is empty",
    "54 [ ] V1 [VERIFY] Quality checkpoint: lint and types",
    "# Phase 2: Send",
    "67 [ ] 2.1 Send once a day",
    "72 [ ] 2.2 Try again when the server is away",
    "77 [ ] VE1 [VERIFY] Start the mail server",
    "79 [ ] VF [VERIFY] The goal is reached",
  ],
  "spec-kit": [
    "# Phase 1: Setup (shared)",
    "11 [x] T001 Create the folders of the plan",
    "12 [x] T002 [P] Install linter and formatter",
    "13 [ ] T002a [P] Install the hooks",
    "# Phase 2: Foundation",
    "19 [ ] T003 Create the schema in db/schema.sql",
    "20 [ ] T004 [P] Sign people in, in src/auth.ts",
    "# Phase 3: User Story 1 - A room is booked (Priority: P1) 🎯 MVP",
    "32 [ ] T005 [P] [US1] Contract test in tests/contract/booking.test.ts",
    "33 [ ] T006 [P] [US1] Journey test in tests/journey/booking.test.ts",
    "37 [ ] T007 [US1] Book in src/booking.ts (depends on T005, T006)",
    "39 [ ] T008 [US1] Show it in src/calendar.tsx",
    "# Phase 4: User Story 2 - A booking is moved (Priority: P2)",
    "43 [ ] T009 [US2] Move it in src/booking.ts",
  ],
  kiro: [
    "# Tasks",
    "9 [x] 1 Set up the project",
    "14 [ ] 2 Read photos",
    "15 [x] 2 > 2.1 Read one photo",
    "19 [ ] 2 > 2.2 Write a property test of the reader",
    "22 [ ] 2 > 2.3 Read a folder",
    "28 [ ] 2.3 > 2.3.1 Folders in folders",
    "30 [ ] 3 Checkpoint - all tests pass",
    "33 [ ] 4 Write albums",
    "34 [ ] 4 > 4.1 One page for each month",
    "36 [ ] 4 > 4.2 One page for each place",
  ],
  openspec: [
    "# 1. Settings",
    "3 [x] 1.1 Add the option `--quiet`",
    "4 [x] 1.2 Describe it in the help: one line, in `src/help.ts`",
    "6 [ ] 1.3 Warn when it stands with `--verbose`",
    "7 [ ] 1.3 > 1.3.1 On the command line",
    "8 [ ] 1.3 > 1.3.2 In the settings file",
    "# 2. Output",
    "17 [ ] 2.1 Print nothing but errors",
    "19 [ ] 2.2 Keep the exit code",
    "# 3. Tests",
    "23 [ ] 3.1 Unit tests of the option",
    "25 [ ] 3.2 `quiet --help` prints the help",
    "32 [ ] 3.3 Validate the change",
  ],
  checklist: [
    "# Before",
    "7 [x] H975982 Cancel the lease",
    "8 [ ] H852312 Find a van",
    "11 [ ] H592165 Pack the books",
    "13 [ ] H328960 Pack",
    "# The day",
    "18 [ ] H998123 **Carry** everything down",
    "20 [x] H423082 Clean `all` windows",
    "22 [ ] H977359 Hand over the keys",
    "23 [ ] H728396 Read the meters",
  ],
};
const dialects = Object.entries(plans) as [Plan["dialect"], readonly string[]][];
const textOf = (dialect: string): string => readFileSync(new URL(`plans/${dialect}.md`, import.meta.url), "utf8");

const variants: readonly (readonly [name: string, change: (text: string) => string])[] = [
  ["as it is", (text) => text],
  ["with a byte order mark and CRLF", (text) => `\uFEFF${text.replaceAll("\n", "\r\n")}`],
  ["with CR and without a final one", (text) => text.trimEnd().replaceAll("\n", "\r")],
];

describe.each(dialects)("a plan of %s", (dialect, expected) => {
  describe.each(variants)("%s", (name, change) => {
    const at = variants.findIndex(([each]) => each === name);
    const text = change(textOf(dialect));

    it("is read", () => {
      const plan = readPlan(text);
      expect(plan.dialect).toBe(dialect);
      expect(outline(plan)).toEqual(expected);
    });

    it("changes by one character per box at a tick, and back", () => {
      const document = openPlan(text);
      for (const { id, done, box, boxes = [box] } of document.plan.tasks) {
        const withMarks = (mark: string): string =>
          boxes.reduce((all, at) => `${all.slice(0, at)}${mark}${all.slice(at + 1)}`, text);
        const ticked = tickedIn(document, id, !done);
        expect(ticked.text).toBe(withMarks(done ? " " : "x"));
        expect(tickedIn(ticked, id, done).text).toBe(withMarks(done ? "x" : " "));
      }
    });

    it("has one more task after a fix, and is otherwise the same", () => {
      const document = openPlan(text);
      for (const { id } of someCases(document.plan.tasks, 3, at % 3)) {
        const edit = fixEdit(document, fixOf(id));
        const after = applyEdit(document, edit);
        expect(after.text).toBe(`${text.slice(0, edit.start)}${edit.text}${text.slice(edit.end)}`);
        expect(applyEdit(after, { ...edit, end: edit.start + edit.text.length, text: "" }).text).toBe(text);
        const read = readPlan(after.text);
        expect(read.tasks.filter((task) => task.fixOf === id && task.id === `${id}.901`)).toHaveLength(1);
        expect(outline(withoutLines(read)).filter((line) => !line.includes(".901 "))).toEqual(
          outline(withoutLines(document.plan)),
        );
        expect(read.dialect).toBe(dialect);
      }
    });
  });

  it("is worked on from the innermost tasks outwards", () => {
    const up: string[] = [];
    let document = openPlan(textOf(dialect));
    for (let next = nextTask(document.plan); next !== null; next = nextTask(document.plan)) {
      up.push(next.current);
      document = tickedIn(document, next.current, true);
    }
    const open = readPlan(textOf(dialect)).tasks.filter(({ done }) => !done);
    expect(up.toSorted()).toEqual(open.map(({ id }) => id).toSorted());
    for (const { id, parent } of open) {
      if (parent !== null) expect(up.indexOf(id)).toBeLessThan(up.indexOf(parent));
    }
  });
});

function outline({ tasks, phases }: Plan): string[] {
  const lines = tasks.map(({ line, done, parent, id, markers, title }) => {
    const marks = markers.map((marker) => `[${marker}]`);
    return [line, done ? "[x]" : "[ ]", ...(parent === null ? [] : [parent, ">"]), id, ...marks, title].join(" ");
  });
  const heads = new Map(phases.map(({ title, tasks: [first] }) => [first, `# ${title}`]));
  return tasks.flatMap(({ id, phase }, index) => {
    const head = heads.get(id);
    if (head !== undefined) expect(head).toBe(`# ${phase}`);
    return [...(head === undefined ? [] : [head]), lines[index] ?? ""];
  });
}

const withoutLines = (plan: Plan): Plan => ({
  ...plan,
  tasks: plan.tasks.map((task) => ({ ...task, line: 0 })),
  phases: plan.phases,
});

const fixOf = (id: string) => ({
  id: `${id}.901`,
  fixOf: id,
  summary: "boom",
  error: "boom\n- [x] 9.9 done",
  attemptedFix: "",
  doneWhen: "",
  files: ".",
  verify: "true",
  commit: "fix: boom",
});
