import type { Frame, TaskRow } from "../model/frame.ts";
import type { Plan } from "../model/plan.ts";
import type { RunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task-id.ts";
import { taskFamily } from "./task-family.ts";

/** Keeps what the rows of the tree of tasks are made of. */
export interface RowMaker {
  take(record: RunRecord): void;
  /** @param index Its number, counted from 0. */
  see(frame: Pick<Frame, "marks" | "cause">, index: number): void;
  /** The same list as long as nothing differs. @param plan As it stands. */
  rows(plan: Pick<Plan, "tasks">): readonly TaskRow[];
}

export function rowMaker(): RowMaker {
  const marked = new Map<TaskId, { readonly from: number; readonly added: boolean; passed: boolean }>();
  /** The records that say what was made for what. */
  const family: RunRecord[] = [];
  let known: { readonly tasks: Plan["tasks"]; readonly rows: readonly TaskRow[] } | null = null;
  let planned = new Set<TaskId>();
  let isOther = false;
  let passed: TaskId[] = [];
  return {
    take: (record) => {
      const isKin = record.type === "intended" || (record.type === "answered" && record.effect === "askOperator");
      if (!isKin) return;
      family.push(record);
      isOther = true;
    },
    see: ({ marks, cause }, from) => {
      for (const { task, mark } of marks) {
        const before = marked.get(task);
        const added = cause === "insertFix" || cause === "changePlan";
        if (before === undefined) marked.set(task, { from, added, passed: mark === "passed" });
        // A planned task is in its place whether something has become of it or not.
        if (before === undefined && (added || !planned.has(task))) isOther = true;
        if (mark !== "passed" || before?.passed === true) continue;
        if (before !== undefined) before.passed = true;
        passed.push(task);
      }
    },
    rows: ({ tasks }) => {
      const ticked = known === null || isOther ? null : tickedIn(known.tasks, tasks);
      if (known === null || ticked === null) {
        known = { tasks, rows: rowsOf({ tasks }, family, marked) };
        planned = new Set(known.rows.flatMap(({ id, madeFor }) => (madeFor === null ? [id] : [])));
      } else if (ticked.size > 0 || passed.length > 0) {
        const isPassed = (id: TaskId): boolean => marked.get(id)?.passed === true;
        const changed = new Map([...ticked].map(([id, done]) => [id, done && !isPassed(id)] as const));
        for (const id of passed) changed.set(id, false);
        const isSame = (row: TaskRow): boolean => (changed.get(row.id) ?? row.done) === row.done;
        const { rows } = known;
        const next = rows.every(isSame)
          ? rows
          : rows.map((row) => (isSame(row) ? row : { ...row, done: changed.get(row.id) ?? row.done }));
        known = { tasks, rows: next };
      } else known = { tasks, rows: known.rows };
      [isOther, passed] = [false, []];
      return known.rows;
    },
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
  return [...maker.rows(plan)];
}

/** The boxes that differ between two readings of a plan; null when more than boxes does. */
function tickedIn(before: Plan["tasks"], tasks: Plan["tasks"]): ReadonlyMap<TaskId, boolean> | null {
  if (before === tasks) return new Map();
  if (before.length !== tasks.length) return null;
  const ticked = new Map<TaskId, boolean>();
  for (const [index, task] of tasks.entries()) {
    const old = before[index];
    if (old === task) continue;
    if (old?.id !== task.id || old.title !== task.title || old.fixOf !== task.fixOf) return null;
    if (old.done !== task.done) ticked.set(task.id, task.done);
  }
  return ticked;
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
