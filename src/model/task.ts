import type { TaskRole } from "./role.ts";

/**
 * Dotted name of a task, e.g. `1.3`, `V4` or `T001`. A fix task appends one number to the id of the task it
 * repairs: `1.3.1` repairs `1.3`, `1.3.1.1` repairs `1.3.1`. A part of a decomposed task appends `~` and a number, as
 * in `1.3~2`: parts stand in no plan, and `~` is in no id of one.
 */
export type TaskId = string;

/** The id of fix number `n` (from 1) of a task. */
export const fixId = (task: TaskId, n: number): TaskId => `${task}.${n}`;

/** Whether an id is that of a fix of a task. */
export const isFixOf = (id: TaskId, task: TaskId): boolean =>
  descendsFrom(id, task) && /^\d+$/.test(id.slice(task.length + 1));

/** Whether a task descends from another, by fixes of fixes. `1.10` does not descend from `1.1`. */
export const descendsFrom = (id: TaskId, ancestor: TaskId): boolean => id.startsWith(`${ancestor}.`);

/**
 * The task that a fix repairs, by its id; null for an id without a dot. A planned task may have an id that reads like
 * that of a fix: what is recorded, or marked in the plan, says which it is.
 */
export const repairedBy = (fix: TaskId): TaskId | null => before(fix, fix.lastIndexOf("."));

/** The id of part number `n` (from 1) of a decomposed task. */
export const partId = (whole: TaskId, n: number): TaskId => `${whole}~${n}`;

/** Which of the parts of its task a part is, from 1. */
export const partNumber = (part: TaskId): number => Number(part.slice(part.lastIndexOf("~") + 1));

/** Whether a task is a part of another, or a part of a part of it. */
export const isPartOf = (id: TaskId, task: TaskId): boolean => id.startsWith(`${task}~`);

/** The task that a part belongs to; null for a task that is no part. */
export const wholeOf = (task: TaskId): TaskId | null => before(task, task.lastIndexOf("~"));

/** The task of the plan that a part, or a part of a part, was made from; the task itself when it is no part. */
export const plannedTask = (task: TaskId): TaskId => before(task, task.indexOf("~")) ?? task;

const before = (id: TaskId, cut: number): TaskId | null => (cut === -1 ? null : id.slice(0, cut));

/** The task that a fix was made for, as recorded or as marked in the plan; none for a task that is nobody's fix. */
type Repaired = (fix: TaskId) => TaskId | null | undefined;

/** The task that another was made for, as its part or as its fix; null for a planned task. */
export const parentOf = (task: TaskId, repaired: Repaired): TaskId | null => wholeOf(task) ?? repaired(task) ?? null;

/** A task below all that it was made for, from the root of its tree. Foreign fixes may run in a circle: it ends there. */
export function lineageOf(task: TaskId, repaired: Repaired): [root: TaskId, ...below: TaskId[]] {
  const ids: [TaskId, ...TaskId[]] = [task];
  for (let parent = parentOf(task, repaired); parent !== null && !ids.includes(parent); ) {
    ids.unshift(parent);
    parent = parentOf(parent, repaired);
  }
  return ids;
}

/** The fields below a task's title, as written there; undefined where the task has none. */
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

/** One task of a plan. Offsets are UTF-16 code units into the document it was read from. */
export interface Task {
  readonly id: TaskId;
  /** The title without id and markers. */
  readonly title: string;
  /** Bracketed words behind the id, without brackets: `P`, `VERIFY`, `FIX 1.3`, `US1`. */
  readonly markers: readonly string[];
  readonly done: boolean;
  /** Text of the heading that groups it, null above the first. */
  readonly phase: string | null;
  readonly fields: TaskFields;
  /** The task that a `[FIX <id>]` marker names, else null. */
  readonly fixOf: TaskId | null;
  /** The task whose block it stands in, null for one that stands in none. */
  readonly parent: TaskId | null;
  /** Line of its box, counted from 1. */
  readonly line: number;
  /** Its block: from its bullet to the end of its last line, line ending excluded. */
  readonly start: number;
  readonly end: number;
  /** Offset of the character between the brackets of its box. */
  readonly box: number;
  /** All boxes that are ticked with it, of its checks or of the steps below a heading; not given for a task with one. */
  readonly boxes?: readonly number[];
  /** Why a run leaves it out, its box open; not given for a task that is to be done. */
  readonly aside?: Aside;
  /** Whether it only groups those that stand in it: its box is ticked with theirs. Not given for others. */
  readonly isGroup?: true;
  /** Tasks and groups of the plan that it says it depends on; not given for none. What holds of a group holds of its tasks. */
  readonly after?: readonly TaskId[];
}

/**
 * Why a task is left out. `optional`: its author says that it may be; `deferred`: not now, as `[~]`; `person`: a person has to
 * do it; `criterion`: a box without an id, below a heading without tasks, in a plan whose tasks have ids.
 */
type Aside = "optional" | "deferred" | "person" | "criterion";

/** `[VERIFY]` tasks go to the verifier, all others to the executor. */
export const roleOf = (task: Pick<Task, "markers">): TaskRole =>
  task.markers.includes("VERIFY") ? "verifier" : "executor";

/**
 * What a task asks for. `red`: only the failing test; `green`: the least code that makes it pass; `yellow`: clean up;
 * `end-to-end` and `goal` are verifications with a treatment of their own.
 */
export type TaskKind = "plain" | "red" | "green" | "yellow" | "verification" | "end-to-end" | "goal";

/** What is looked at to tell the kind of a task. */
type TaskSign = Pick<Task, "id" | "title" | "markers">;

const goal = /\bgoal verification\b/i;
const endToEnd = /\bE2E\b/i;
const cleanup = /\b(?:clean(?:s|ing)?[ -]?up|tear(?:s|ing)?[ -]?down)\b/i;

/** The kind of a task, by its markers, its id and its title. */
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

/** Whether the purpose of a task is to check what others have done: its green shows what it is to show. */
export const isChecking = (task: TaskSign): boolean =>
  roleOf(task) === "verifier" || checkpoint.test(task.title) || /^VF?\d/.test(task.id);

/** Whether a task is carried out even though the run has to stop: it removes what others have set up. */
export const isCleanup = (task: TaskSign): boolean =>
  task.markers.includes("FINALLY") || (kindOf(task) === "end-to-end" && cleanup.test(task.title));
