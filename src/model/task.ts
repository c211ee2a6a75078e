import type { TaskRole } from "./role.ts";

/**
 * Id of a task, such as `1.3`, `V4` or `T001`. A fix task adds a dot and a number to the id of the task that it
 * repairs: `1.3.1` repairs `1.3`. A part of a decomposed task adds `~` and a number, as in `1.3~2`; parts are in no
 * plan, and no id in a plan contains `~`.
 */
export type TaskId = string;

/** @param n Number of the fix task, from 1. */
export const fixId = (task: TaskId, n: number): TaskId => `${task}.${n}`;

export const isFixOf = (id: TaskId, task: TaskId): boolean =>
  descendsFrom(id, task) && /^\d+$/.test(id.slice(task.length + 1));

/** Whether `id` has the form of a direct or indirect fix task of `ancestor`: `1.10` does not descend from `1.1`. */
export const descendsFrom = (id: TaskId, ancestor: TaskId): boolean => id.startsWith(`${ancestor}.`);

/**
 * Task that a fix task repairs, by its id; null for an id without a dot. A planned task may have an id with a dot, too:
 * only records, or the marker in the plan, show that a task is a fix task.
 */
export const repairedBy = (fix: TaskId): TaskId | null => before(fix, fix.lastIndexOf("."));

/** @param n Number of the part, from 1. */
export const partId = (whole: TaskId, n: number): TaskId => `${whole}~${n}`;

/** Number of a part in its task, from 1. */
export const partNumber = (part: TaskId): number => Number(part.slice(part.lastIndexOf("~") + 1));

export const isPartOf = (id: TaskId, task: TaskId): boolean => id.startsWith(`${task}~`);

/** Task that a part belongs to; null for other tasks. */
export const wholeOf = (task: TaskId): TaskId | null => before(task, task.lastIndexOf("~"));

/** Planned task of a part, even of a part of a part; other tasks are returned as they are. */
export const plannedTask = (task: TaskId): TaskId => before(task, task.indexOf("~")) ?? task;

const before = (id: TaskId, cut: number): TaskId | null => (cut === -1 ? null : id.slice(0, cut));

type Repaired = (fix: TaskId) => TaskId | null | undefined;

/** Task that a fix task repairs or a part belongs to; null for a planned task. */
export const parentOf = (task: TaskId, repaired: Repaired): TaskId | null => wholeOf(task) ?? repaired(task) ?? null;

/** A task and all tasks above it, the root first. Stops at a cycle, since markers in a plan may form a cycle. */
export function lineageOf(task: TaskId, repaired: Repaired): [root: TaskId, ...below: TaskId[]] {
  const ids: [TaskId, ...TaskId[]] = [task];
  for (let parent = parentOf(task, repaired); parent !== null && !ids.includes(parent); ) {
    ids.unshift(parent);
    parent = parentOf(parent, repaired);
  }
  return ids;
}

/** Fields of a task, as written. */
export interface TaskFields {
  /** May contain numbered steps. */
  readonly do?: string;
  /** Paths, separated by commas or as a list. */
  readonly files?: string;
  readonly doneWhen?: string;
  /** One line, inline code or a fence. */
  readonly verify?: string;
  readonly commit?: string;
}

/** A task of a plan. Offsets are UTF-16 code units of the plan's text. */
export interface Task {
  readonly id: TaskId;
  /** The title without id and markers. */
  readonly title: string;
  /** Words in brackets after the id, without the brackets: `P`, `VERIFY`, `FIX 1.3`, `US1`. */
  readonly markers: readonly string[];
  readonly done: boolean;
  /** Text of the heading above the task; null above the first heading. */
  readonly phase: string | null;
  readonly fields: TaskFields;
  /** Id in the marker `[FIX <id>]`; null without this marker. */
  readonly fixOf: TaskId | null;
  /** The task that contains this task; null at the top level. */
  readonly parent: TaskId | null;
  /** Line of the task's box, from 1. */
  readonly line: number;
  /** Start of the task's text, at its bullet. */
  readonly start: number;
  /** End of the task's text, before the line ending of its last line. */
  readonly end: number;
  /** Offset of the character in the brackets of the box. */
  readonly box: number;
  /**
   * Offsets of all boxes that are ticked with the task: the box of the task, and the boxes of its checks or of the
   * steps below its heading. Not given for a single box.
   */
  readonly boxes?: readonly number[];
  /** Why the task is not delegated; not given for ordinary tasks. */
  readonly aside?: Aside;
  /** Why boxes of steps in the task stay open, one reason for each open box; not given if there are none. */
  readonly left?: readonly LeftStep[];
  /** Set for a group. A group is ticked after all its tasks are done. */
  readonly isGroup?: true;
  /**
   * Tasks and groups that must be done first; not given if there are none. Tasks of a group also wait for the tasks
   * that the group depends on.
   */
  readonly after?: readonly TaskId[];
}

/**
 * Why a task is not delegated. `optional`: the author says so; `deferred`: its box is `[~]`; `person`: a person must do
 * it; `criterion`: its box has no id, is below a heading without tasks, and other tasks of the plan have ids.
 */
type Aside = "optional" | "deferred" | "person" | "criterion";

/** Why the box of a step stays open. `step`: the task of the step is already done. */
export type LeftStep = Exclude<Aside, "criterion"> | "step";

/** Role that does a task: `[VERIFY]` tasks are for the verifier. */
export const roleOf = (task: Pick<Task, "markers">): TaskRole =>
  task.markers.includes("VERIFY") ? "verifier" : "executor";

/**
 * Kind of a task. `red`: write only a failing test; `green`: write the least code that makes it pass; `yellow`: clean
 * up; `goal` and `end-to-end`: verifications with special steps.
 */
export type TaskKind = "plain" | "red" | "green" | "yellow" | "verification" | "end-to-end" | "goal";

type TaskSign = Pick<Task, "id" | "title" | "markers">;

const goal = /\bgoal verification\b/i;
const endToEnd = /\bE2E\b/i;
const cleanup = /\b(?:clean(?:s|ing)?[ -]?up|tear(?:s|ing)?[ -]?down)\b/i;

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

/** Whether the task only checks other tasks. A green Verify alone proves such a task. */
export const isChecking = (task: TaskSign): boolean =>
  roleOf(task) === "verifier" || checkpoint.test(task.title) || /^VF?\d/.test(task.id);

/** Whether the task removes what other tasks have set up. A cleanup task runs even if the run must stop. */
export const isCleanup = (task: TaskSign): boolean =>
  task.markers.includes("FINALLY") || (kindOf(task) === "end-to-end" && cleanup.test(task.title));
