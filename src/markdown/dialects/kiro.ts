import type { Task } from "../../model/task.ts";
import { type DialectEntry, type DialectRow, isMost, type SeenPlan, sampleOf, sourceOf } from "./dialect.ts";

/** Plans of Kiro. */
export const kiro: DialectEntry = {
  name: "kiro",
  fits: (seen) => (isNumbered(seen) && (seen.named.some(isInner) || saysSo(seen))) || isBelowTask(seen),
};

export const kiroRow: DialectRow = {
  when: "most ids are whole numbers or begin with one that is an id, `1` and `1.2`, and some are nested, name `_Requirements: …_` or stand below `# Implementation Plan`; or they begin with the number of a heading `任务 1：`",
  unit: "`- [ ] 1.2 Title` with bullets below; `1.` is one if it has bullets of its own, else a group",
  id: "`1`, `1.2`; a fix of `1` with tasks up to `1.5` is `1.6`",
  fields: "none",
  verification: "the project's check",
  context: "the heading, the groups it is in, what `_Requirements: 1.2_` names; `requirements.md`, `design.md`",
  order: "tasks in a task come first; `- [ ]* 1.2` is left out",
  done: "its box; a group with the last of its tasks",
};

/** Plans of cc-sdd, which are Kiro's with marks of their own. */
export const ccSdd: DialectEntry = {
  name: "cc-sdd",
  fits: (seen) => isNumbered(seen) && sampleOf(seen).some((task) => isOfCcSdd(seen, task)),
};

export const ccSddRow: DialectRow = {
  when: "as Kiro, and a task has `(P)`, `_Boundary: …_` or `_Depends: …_`, or stands beside its group",
  unit: "`- [ ] 1.2 (P) Title` with bullets below; `1.` without any is a group of those beside it",
  id: "`1`, `1.2`; a fix of `1.2` is `1.2.1`",
  fields: "none",
  verification: "the project's check",
  context: "the group it is in, what `_Requirements: 1.2_` names; `requirements.md`, `design.md`, `research.md`",
  order: "as written; `(P)`; `_Depends: 1.2_`",
  done: "its box; a group with the last of its tasks",
};

function isNumbered({ named }: SeenPlan): boolean {
  const whole = new Set(named.flatMap(({ id, boxes }) => (/^\d+$/.test(id) && boxes === undefined ? [id] : [])));
  return isMost(named, ({ id }) => whole.has(id.split(".", 1).join()));
}

const isInner = ({ id }: Task): boolean => id.includes(".");

/** Whether a plan has the title that Kiro writes, or a task the label. */
const saysSo = (seen: SeenPlan): boolean =>
  seen.headings.some(({ level, title }) => level === 1 && /^(?:Implementation Plan|实现计划|実装計画)/u.test(title)) ||
  sampleOf(seen).some((task) => /_(?:Requirements?|需求|要件): /u.test(sourceOf(seen, task)));

function isOfCcSdd(seen: SeenPlan, task: Task): boolean {
  const source = sourceOf(seen, task);
  const isBeside = task.parent !== null && source !== "" && !" \t".includes(seen.text.charAt(task.start - 1));
  return isBeside || /^\S+ \[.\]\*? \S+ \(P\) |_(?:Boundary|Depends):/.test(source);
}

/** Whether most ids repeat the number of such a heading. */
const isBelowTask = ({ named }: SeenPlan): boolean =>
  isMost(named, ({ id, phase }) => {
    const number = /^(?:任务|タスク)[ \t]?(\d{1,4})(?!\d)/u.exec(phase ?? "")?.[1];
    return number !== undefined && id.startsWith(`${number}.`);
  });
