import { type DialectEntry, type DialectRow, isMost, sampleOf, sourceOf } from "./dialect.ts";

/** Plans of superpowers, in which a heading is the task. */
export const superpowers: DialectEntry = {
  name: "superpowers",
  fits: (seen) => {
    const sample = sampleOf(seen);
    return isMost(sample, (task) => task.boxes !== undefined && /\*\*Step \d/.test(sourceOf(seen, task)));
  },
};

export const superpowersRow: DialectRow = {
  when: "most tasks are headings `### Task 1: Title` with boxes like `**Step 1: …**` below",
  unit: "the heading with all that stands below it",
  id: "`1`; a fix is `1.1`, below the last step",
  fields: "Files; others where they are written as such",
  verification: "the project's check; commands of its steps are the executor's",
  context: "the heading above it",
  order: "as written",
  done: "the boxes of all its steps",
};
