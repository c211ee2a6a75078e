import type { TimedRunRecord } from "../../model/record.ts";
import type { TaskId } from "../../model/task.ts";
import { taskFamily } from "../../runtime/recorded-run.ts";
import type { PlannedTask } from "./page-data.ts";

export interface TaskRow extends Pick<PlannedTask, "isGroup" | "aside"> {
  readonly id: TaskId;
  readonly title: string;
  /** The task that this fix or part was made for; null for a planned task. */
  readonly madeFor: TaskId | null;
  /** Nesting level: 0 for a planned task, 1 for its fixes and parts. */
  readonly depth: number;
  /** First moment at which the task exists. */
  readonly from: number;
}

/**
 * Build the rows of the task tree, in the order of the plan, with fixes and parts below their task, including removed
 * tasks.
 *
 * @param kin Records that say for which task a fix or a part was made.
 * @param made First moment of each task that the run has created.
 */
export function rowsOf(
  tasks: readonly PlannedTask[],
  kin: readonly TimedRunRecord[],
  made: ReadonlyMap<TaskId, number>,
): TaskRow[] {
  const family = taskFamily(tasks, kin);
  const titles = new Map([...family.parts, ...tasks.map(({ id, title }) => [id, title] as const)]);
  for (const record of kin) {
    if (record.type === "intended" && !titles.has(record.fix.id)) titles.set(record.fix.id, record.fix.summary);
  }
  const below = new Map<TaskId | null, TaskId[]>();
  for (const id of new Set([...tasks.map(({ id }) => id), ...made.keys()])) {
    const siblings = below.get(family.above(id));
    if (siblings === undefined) below.set(family.above(id), [id]);
    else siblings.push(id);
  }
  const planned = new Map(tasks.map(({ id, isGroup, aside }) => [id, { isGroup, aside }] as const));
  const rows: TaskRow[] = [];
  const add = (id: TaskId, depth: number): void => {
    const { isGroup, aside } = planned.get(id) ?? {};
    rows.push({
      ...{ id, title: titles.get(id) ?? "", madeFor: family.above(id), depth, from: made.get(id) ?? 0 },
      ...(isGroup !== undefined && { isGroup }),
      ...(aside !== undefined && { aside }),
    });
    for (const each of below.get(id) ?? []) add(each, depth + 1);
  };
  for (const id of below.get(null) ?? []) add(id, 0);
  return rows;
}
