import type { Task } from "../../model/task.ts";
import { type DialectEntry, type DialectRow, isMost, numberOf, type SeenPlan } from "./dialect.ts";

/** Plans of OpenSpec changes. */
export const openspec: DialectEntry = {
  name: "openspec",
  fits: (seen) =>
    isMost(seen.named, isNumberedByHeading) || isMost(seen.named, hasCode) || isMost(seen.planned, isBelowNumber(seen)),
};

export const openspecRow: DialectRow = {
  when: "most ids begin with the number of their heading, `1.2` below `## 1. Setup`, or are like `` `tdg-2.1` ``; or most tasks stand below such headings and have no id",
  unit: "`- [ ] 1.1 Title`; sub-tasks `1.1.1` in it are units of their own",
  id: "`1.1`, `tdg-2.1`; a fix is `1.1.1`, or the next that is free",
  fields: "none",
  verification: "the project's check; `openspec validate` is named where it is there",
  context: "`## 1. Setup`; `proposal.md`, `design.md`",
  order: "as written; `depends: tdg-1`",
  done: "its box; a task that only groups others with the last of them",
};

function isNumberedByHeading({ id, phase }: Task): boolean {
  const number = numberOf(phase);
  return number !== undefined && id.startsWith(`${number}.`);
}

/** The initials of a change and a number. */
const hasCode = ({ id }: Task): boolean => /^[a-z]+-\d/.test(id);

/** Whether a task without an id stands below `## 1. Setup`. */
function isBelowNumber({ named, headings }: SeenPlan): (task: Task) => boolean {
  const numbered = new Set(headings.flatMap(({ level, title }) => (level === 2 && numberOf(title) ? [title] : [])));
  const withId = new Set(named);
  return (task) => !withId.has(task) && numbered.has(task.phase ?? "");
}
