import type { Frame, TaskRow } from "../model/frame.ts";
import type { Plan } from "../model/plan.ts";
import type { RunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task-id.ts";
import { taskFamily } from "./task-family.ts";

/**
 * The rows of the tree of tasks, in the order of the plan: below each task the fixes and the parts that were made for it,
 * also those that the plan does not have (any more).
 *
 * @param plan As it stands.
 * @param frames All of the run so far.
 */
export function taskRows(
  plan: Pick<Plan, "tasks">,
  records: readonly RunRecord[],
  frames: readonly Frame[],
): TaskRow[] {
  const family = taskFamily(plan.tasks, records);
  const marked = new Map<TaskId, { from: number; passed: boolean; added: boolean }>();
  for (const [index, { marks, cause }] of frames.entries()) {
    for (const { task, mark } of marks) {
      const known = marked.get(task) ?? {
        from: index,
        passed: false,
        added: cause === "insertFix" || cause === "changePlan",
      };
      marked.set(task, { ...known, passed: known.passed || mark === "passed" });
    }
  }
  const titles = new Map(plan.tasks.map(({ id, title }) => [id, title]));
  for (const record of records)
    if (record.type === "intended") titles.set(record.fix.id, titles.get(record.fix.id) ?? record.fix.summary);
  const done = new Set(plan.tasks.flatMap((task) => (task.done ? [task.id] : [])));
  const below = new Map<TaskId | null, TaskId[]>();
  for (const id of new Set([...plan.tasks.map(({ id }) => id), ...marked.keys()])) {
    const above = family.above(id);
    below.set(above, [...(below.get(above) ?? []), id]);
  }
  const rows: TaskRow[] = [];
  const add = (id: TaskId, depth: number): void => {
    const seen = marked.get(id);
    const isMade = seen?.added === true || family.above(id) !== null;
    rows.push({
      id,
      title: titles.get(id) ?? family.parts.get(id) ?? "",
      madeFor: family.above(id),
      depth,
      from: isMade && seen !== undefined ? seen.from : 0,
      done: done.has(id) && seen?.passed !== true,
    });
    for (const each of below.get(id) ?? []) add(each, depth + 1);
  };
  for (const id of below.get(null) ?? []) add(id, 0);
  return rows;
}
