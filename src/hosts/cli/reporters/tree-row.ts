import type { TaskProgress, TimedRunEvent } from "../../../model/event.ts";
import { isPartOf, type TaskId, wholeOf } from "../../../model/task-id.ts";

/** One task as the tree shows it. */
export interface TreeRow {
  readonly id: TaskId;
  readonly title: string;
  /** Generations of fixes above it. */
  readonly depth: number;
  readonly state: "open" | "running" | "waiting" | "passed" | "failed" | "skipped";
  /** How stuck it is, such as `pivot 1/3`; empty when it is not. */
  readonly level: string;
  /** What there is to say about it; may be empty. */
  readonly note: string;
  /** What somebody is doing on it, told while it is `running`; null when nobody is. */
  readonly work: Work | null;
}

/** What is done on a task, since when. */
export interface Work {
  readonly stage: TaskProgress["stage"];
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The last act that was seen; empty before the first. */
  readonly act: string;
  /** Path that what a program prints goes to meanwhile; null for a function. */
  readonly output: string | null;
}

/** Whether somebody works on a task, or will go on with it as soon as an executor can. */
export const isBusy = ({ state }: TreeRow): boolean => state === "running" || state === "waiting";

/** Whether a row is a part of a decomposed task, which stands in no plan. */
export const isPart = ({ id }: TreeRow): boolean => wholeOf(id) !== null;

export const changeRow = (rows: readonly TreeRow[], id: TaskId, changes: Partial<TreeRow>): readonly TreeRow[] =>
  rows.map((row) => (row.id === id ? { ...row, ...changes } : row));

/**
 * The rows with open tasks that are new: directly before a task, or behind it and its fixes, there as its fixes or
 * beside it.
 */
export function insertRows(
  rows: readonly TreeRow[],
  task: TaskId,
  place: "before" | "behind" | "below",
  tasks: readonly Pick<TreeRow, "id" | "title">[],
): readonly TreeRow[] {
  const at = rows.findIndex(({ id }) => id === task);
  const depth = rows[at]?.depth ?? -1;
  const ownDepth = place === "below" ? depth + 1 : Math.max(0, depth);
  const behind = rows.slice(at + 1).findIndex((row) => row.depth <= depth);
  const end = behind === -1 ? rows.length : at + 1 + behind;
  const fresh = tasks
    .filter(({ id }) => rows.every((row) => row.id !== id))
    .map((each): TreeRow => ({ ...each, depth: ownDepth, state: "open", level: "", note: "", work: null }));
  return rows.toSpliced(place === "before" && at >= 0 ? at : end, 0, ...fresh);
}

/** The rows without the parts that a task was decomposed into, and those of its parts. */
export const withoutParts = (rows: readonly TreeRow[], task: TaskId): readonly TreeRow[] =>
  rows.filter(({ id }) => !isPartOf(id, task));

/** The planned task in whose tree a task stands. */
export function rootOf(rows: readonly TreeRow[], task: TaskId): TaskId {
  const at = rows.findIndex(({ id }) => id === task);
  return rows.slice(0, at + 1).findLast(({ depth }) => depth === 0)?.id ?? task;
}

/** The final check as a row behind those of the plan, while it runs: null before and after. */
export function finalCheck(before: TreeRow | null, event: TimedRunEvent): TreeRow | null {
  if (event.type === "run.ended") return null;
  if (event.type !== "check.started") return before;
  const work = { stage: "verify", since: Date.parse(event.at), act: event.command, output: null } as const;
  return { id: "the plan", title: "", depth: 0, state: "running", level: "", note: "final check", work };
}
