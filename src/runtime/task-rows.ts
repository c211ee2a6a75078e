import type { Frame, TaskRow } from "../model/frame.ts";
import type { Plan } from "../model/plan.ts";
import type { RunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task-id.ts";
import { taskFamily } from "./task-family.ts";

/** Keeps what the rows of the tree of tasks are made of. */
export interface RowMaker {
  take(record: RunRecord): void;
  /** @param index Its number, counted from 0. Answers whether rows may differ by it. */
  see(frame: Pick<Frame, "marks" | "cause">, index: number): boolean;
  /** @param plan As it stands. */
  rows(plan: Pick<Plan, "tasks">): TaskRow[];
}

export function rowMaker(): RowMaker {
  const marked = new Map<TaskId, { readonly from: number; readonly added: boolean; passed: boolean }>();
  /** The records that say what was made for what. */
  const family: RunRecord[] = [];
  return {
    take: (record) => {
      const isKin = record.type === "intended" || (record.type === "answered" && record.effect === "askOperator");
      if (isKin) family.push(record);
    },
    see: ({ marks, cause }, from) => {
      let differs = false;
      for (const { task, mark } of marks) {
        const known = marked.get(task);
        if (known === undefined) {
          const added = cause === "insertFix" || cause === "changePlan";
          marked.set(task, { from, added, passed: mark === "passed" });
          differs = true;
        } else if (mark === "passed" && !known.passed) {
          known.passed = true;
          differs = true;
        }
      }
      return differs;
    },
    rows: (plan) => rowsOf(plan, family, marked),
  };
}

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
  const maker = rowMaker();
  for (const record of records) maker.take(record);
  for (const [index, frame] of frames.entries()) maker.see(frame, index);
  return maker.rows(plan);
}

function rowsOf(
  plan: Pick<Plan, "tasks">,
  records: readonly RunRecord[],
  marked: ReadonlyMap<TaskId, { readonly from: number; readonly added: boolean; readonly passed: boolean }>,
): TaskRow[] {
  const family = taskFamily(plan.tasks, records);
  const titles = new Map(plan.tasks.map(({ id, title }) => [id, title]));
  for (const record of records)
    if (record.type === "intended") titles.set(record.fix.id, titles.get(record.fix.id) ?? record.fix.summary);
  const done = new Set(plan.tasks.flatMap((task) => (task.done ? [task.id] : [])));
  const below = new Map<TaskId | null, TaskId[]>();
  for (const id of new Set([...plan.tasks.map(({ id }) => id), ...marked.keys()])) {
    const above = family.above(id);
    const siblings = below.get(above);
    if (siblings === undefined) below.set(above, [id]);
    else siblings.push(id);
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
