import { type DialectEntry, type DialectRow, isMost, sampleOf, sourceOf } from "./dialect.ts";

/** Stories of BMAD. */
export const bmad: DialectEntry = {
  name: "bmad",
  fits: (seen) =>
    isMost(sampleOf(seen), (task) => {
      const line = sourceOf(seen, task).split("\n", 1).join();
      return /\bTask \d/.test(line) && (/\(AC:? ?#?\d/.test(line) || task.phase === "Tasks / Subtasks");
    }),
};

export const bmadRow: DialectRow = {
  when: "most tasks are like `- [ ] Task 1: Title (AC: 1, 3)`, or stand below `Tasks / Subtasks`",
  unit: "`- [ ] Task 1: Title`; boxes in it are its steps",
  id: "`1`; a fix is `1.1`",
  fields: "none",
  verification: "the project's check",
  context: "the acceptance criteria that `(AC: 1, 3)` names, the `Status:` of the story, its other documents",
  order: "as written",
  done: "its box and those in it; `Status:` stays as it is",
};
