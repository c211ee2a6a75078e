import type { TaskRole } from "./role.ts";

/**
 * Dotted id of a task, such as `1.3`, `V4` or `T001`. A fix task appends a number to the id of the task it repairs:
 * `1.3.1` repairs `1.3`, `1.3.1.1` repairs `1.3.1`. A part of a decomposed task appends `~` and a number, as in
 * `1.3~2`: parts are in no plan, and no id of a plan contains `~`.
 */
export type TaskId = string;

/** The id of fix number `n` (from 1) of a task. */
export const fixId = (task: TaskId, n: number): TaskId => `${task}.${n}`;

/** Whether an id names a direct fix of a task. */
export const isFixOf = (id: TaskId, task: TaskId): boolean =>
  descendsFrom(id, task) && /^\d+$/.test(id.slice(task.length + 1));

/** Whether a task is a direct or indirect fix of another, by its id. `1.10` does not descend from `1.1`. */
export const descendsFrom = (id: TaskId, ancestor: TaskId): boolean => id.startsWith(`${ancestor}.`);

/**
 * The task that a fix repairs, by its id; null for an id without a dot. A planned task may have an id that looks like a
 * fix: the records or the marker in the plan decide.
 */
export const repairedBy = (fix: TaskId): TaskId | null => before(fix, fix.lastIndexOf("."));

/** The id of part number `n` (from 1) of a decomposed task. */
export const partId = (whole: TaskId, n: number): TaskId => `${whole}~${n}`;

/** Number of a part among the parts of its task, from 1. */
export const partNumber = (part: TaskId): number => Number(part.slice(part.lastIndexOf("~") + 1));

/** Whether a task is a part of another, at any depth. */
export const isPartOf = (id: TaskId, task: TaskId): boolean => id.startsWith(`${task}~`);

/** The task of a part; null if the task is not a part. */
export const wholeOf = (task: TaskId): TaskId | null => before(task, task.lastIndexOf("~"));

/** The planned task of a part at any depth; the task itself if it is not a part. */
export const plannedTask = (task: TaskId): TaskId => before(task, task.indexOf("~")) ?? task;

const before = (id: TaskId, cut: number): TaskId | null => (cut === -1 ? null : id.slice(0, cut));

/** Returns the task that a fix was made for, as recorded or marked; null or undefined for other tasks. */
type Repaired = (fix: TaskId) => TaskId | null | undefined;

/** The task that a part or fix was made for; null for a planned task. */
export const parentOf = (task: TaskId, repaired: Repaired): TaskId | null => wholeOf(task) ?? repaired(task) ?? null;

/**
 * A task and its ancestors, from the root of its tree. Fix markers that the run did not write may form a cycle; the
 * walk then stops.
 */
export function lineageOf(task: TaskId, repaired: Repaired): [root: TaskId, ...below: TaskId[]] {
  const ids: [TaskId, ...TaskId[]] = [task];
  for (let parent = parentOf(task, repaired); parent !== null && !ids.includes(parent); ) {
    ids.unshift(parent);
    parent = parentOf(parent, repaired);
  }
  return ids;
}

/** The fields of a task as written; undefined if missing. */
export interface TaskFields {
  /** Text and numbered steps. */
  readonly do?: string;
  /** Comma-separated paths or a list. */
  readonly files?: string;
  readonly doneWhen?: string;
  /** One line, inline code or a fence. */
  readonly verify?: string;
  readonly commit?: string;
}

/** A task of a plan. Offsets are UTF-16 code units into the source document. */
export interface Task {
  readonly id: TaskId;
  /** The title without id and markers. */
  readonly title: string;
  /** Bracketed words after the id, without brackets: `P`, `VERIFY`, `FIX 1.3`, `US1`. */
  readonly markers: readonly string[];
  readonly done: boolean;
  /** Text of the heading above the task; null above the first heading. */
  readonly phase: string | null;
  readonly fields: TaskFields;
  /** The task named by a `[FIX <id>]` marker; else null. */
  readonly fixOf: TaskId | null;
  /** The task that contains this task; null at the top level. */
  readonly parent: TaskId | null;
  /** Line of the task's box, from 1. */
  readonly line: number;
  /** Start of the task's block, at its bullet. */
  readonly start: number;
  /** End of the block, after its last line without the line ending. */
  readonly end: number;
  /** Offset of the character between the brackets of the task's box. */
  readonly box: number;
  /**
   * Offsets of all boxes ticked with the task: of its checks, or of steps below a heading; not given if the task has
   * only one box.
   */
  readonly boxes?: readonly number[];
  /** Why a run skips the task and leaves its box open; not given for a task to do. */
  readonly aside?: Aside;
  /** Reasons why boxes of steps in the task stay open, one per box; not given if none does. */
  readonly left?: readonly LeftStep[];
  /** Whether the task is a group, which is ticked once its tasks are done; not given for other tasks. */
  readonly isGroup?: true;
  /** Tasks and groups that the task depends on; not given if none. Dependencies of a group apply to its tasks. */
  readonly after?: readonly TaskId[];
}

/**
 * Why a run skips a task. `optional`: marked so by its author; `deferred`: marked `[~]`; `person`: a person must do it;
 * `criterion`: a box without an id, below a heading without tasks, in a plan whose tasks have ids.
 */
type Aside = "optional" | "deferred" | "person" | "criterion";

/** Why the box of a step stays open; `step`: the task that contains it is already done. */
export type LeftStep = Exclude<Aside, "criterion"> | "step";

/** Role for a task: the verifier for a `[VERIFY]` task, else the executor. */
export const roleOf = (task: Pick<Task, "markers">): TaskRole =>
  task.markers.includes("VERIFY") ? "verifier" : "executor";

/**
 * Kind of a task. `red`: only the failing test; `green`: the least code that makes it pass; `yellow`: clean up;
 * `end-to-end` and `goal`: verifications with special treatment.
 */
export type TaskKind = "plain" | "red" | "green" | "yellow" | "verification" | "end-to-end" | "goal";

/** The fields of a task that determine its kind. */
type TaskSign = Pick<Task, "id" | "title" | "markers">;

const goal = /\bgoal verification\b/i;
const endToEnd = /\bE2E\b/i;
const cleanup = /\b(?:clean(?:s|ing)?[ -]?up|tear(?:s|ing)?[ -]?down)\b/i;

/** The kind of a task, by its markers, id and title. */
export function kindOf({ id, title, markers }: TaskSign): TaskKind {
  if (markers.includes("VERIFY")) {
    if (/^VF/.test(id) || goal.test(title)) return "goal";
    return endToEnd.test(title) ? "end-to-end" : "verification";
  }
  if (markers.includes("RED")) return "red";
  if (markers.includes("GREEN")) return "green";
  return markers.includes("YELLOW") ? "yellow" : "plain";
}

const checkpoint = /\bcheckpoint\b/i;

/** Whether a task only checks the work of other tasks, so that a green Verify alone proves it done. */
export const isChecking = (task: TaskSign): boolean =>
  roleOf(task) === "verifier" || checkpoint.test(task.title) || /^VF?\d/.test(task.id);

/** Whether a task removes what other tasks set up, and so runs even if the run must stop. */
export const isCleanup = (task: TaskSign): boolean =>
  task.markers.includes("FINALLY") || (kindOf(task) === "end-to-end" && cleanup.test(task.title));
