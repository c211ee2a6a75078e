import { isPlanned, type Plan } from "./plan.ts";
import type { Policy } from "./policy.ts";
import type { Task, TaskId } from "./task.ts";

export interface PlanText {
  readonly text: string;
  readonly plan: Pick<Plan, "tasks">;
}

/** A part of a plan's text. The key of a part finds the same part in another version of the plan. */
export interface PlanPart {
  readonly text: string;
  /** Task that the text belongs to; null for text outside of tasks. The task's box is open in the text. */
  readonly task: Task | null;
  /** For text outside of tasks: the next task; null after the last task. */
  readonly above: Task | null;
}

/**
 * Split the text of a plan into the text of each task, without its nested tasks, and the texts before, between and
 * after tasks.
 *
 * @returns Parts by keys that stay the same across versions. Tasks with the same id are numbered in order.
 */
export function partsOf({ text, plan: { tasks } }: PlanText): ReadonlyMap<string, PlanPart> {
  const parts = new Map<string, PlanPart>();
  const keys = keysOf(tasks);
  let end = 0;
  tasks.forEach((task, index) => {
    if (task.start >= end) {
      parts.set(`above ${keys[index]}`, { text: text.slice(end, task.start), task: null, above: task });
      end = task.end;
    }
    parts.set(keys[index] as string, { text: ownText(text, tasks, index), task, above: null });
  });
  return parts.set(afterAll, { text: text.slice(end), task: null, above: null });
}

export const afterAll = "after all";

/** Keys of tasks: the id and a number, which is 0 for the first task with this id. */
export function keysOf(tasks: readonly Pick<Task, "id">[]): string[] {
  const seen = new Map<string, number>();
  return tasks.map(({ id }) => {
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return `${id} ${count}`;
  });
}

function ownText(text: string, tasks: readonly Task[], index: number): string {
  const { start, end, box, boxes = [box] } = tasks[index] as Task;
  const parts = boxes.map((one) => ({ start: one, end: one + 1, put: " " }));
  for (let next = index + 1; (tasks[next]?.start ?? end) < end; next += 1) {
    parts.push({ ...(tasks[next] as Task), put: "" });
  }
  let own = "";
  let at = start;
  for (const part of parts.sort((one, other) => one.start - other.start)) {
    if (part.start < at) continue;
    own += `${text.slice(at, part.start)}${part.put}`;
    at = part.end;
  }
  return own + text.slice(at, end);
}

/**
 * Return for each task of a changed plan whether the task is done in the known plan. If tasks were added, removed,
 * moved or renamed, tasks are matched by id, title and markers, each known task once.
 *
 * @param known The known plan.
 */
export function doneAsKnown({ tasks: known }: Pick<Plan, "tasks">, { tasks }: Pick<Plan, "tasks">): boolean[] {
  const isInOrder =
    known.length === tasks.length &&
    known.every((was, index) => {
      const is = tasks[index] as Task;
      // A finished task may get a new title.
      return was.id === is.id && (was.done || nameOf(was) === nameOf(is));
    });
  if (isInOrder) return known.map(({ done }) => done);
  const done = new Map<string, boolean[]>();
  for (const task of known) done.set(nameOf(task), [...(done.get(nameOf(task)) ?? []), task.done]);
  return tasks.map((task) => done.get(nameOf(task))?.shift() ?? false);
}

const nameOf = ({ id, title, markers }: Task): string => [id, title, ...markers].join("\n");

/** Write boxes into the text of a plan. @param ticks New state by index of the task; null leaves the box unchanged. */
export function withTicks({ text, plan: { tasks } }: PlanText, ticks: readonly (boolean | null)[]): string {
  const marks = new Map<number, string>();
  tasks.forEach(({ box, boxes = [box], done }, index) => {
    const tick = ticks[index] ?? done;
    if (tick !== done) for (const one of boxes) marks.set(one, tick ? "x" : " ");
  });
  return withMarks(text, marks);
}

function withMarks(text: string, marks: ReadonlyMap<number, string>): string {
  let after = "";
  let at = 0;
  // A task below a heading may lie between the boxes of that heading, so sort the marks.
  for (const [box, mark] of [...marks].sort(([one], [other]) => one - other)) {
    after += `${text.slice(at, box)}${mark}`;
    at = box + 1;
  }
  return after + text.slice(at);
}

/**
 * Copy the boxes of each task's steps from another version of the plan. A task with another number of boxes in that
 * version is skipped.
 *
 * @param standing Tasks whose boxes stay unchanged.
 */
export function withSteps(now: PlanText, known: PlanText, standing: ReadonlySet<TaskId> = new Set()): string {
  const keys = keysOf(known.plan.tasks);
  const before = new Map(known.plan.tasks.map(({ boxes = [] }, index) => [keys[index], boxes]));
  const marks = new Map<number, string>();
  const own = keysOf(now.plan.tasks);
  now.plan.tasks.forEach(({ id, boxes = [] }, index) => {
    const were = before.get(own[index]) ?? [];
    if (standing.has(id) || were.length !== boxes.length) return;
    boxes.forEach((box, at) => {
      marks.set(box, known.text.charAt(were[at] as number));
    });
  });
  return withMarks(now.text, marks);
}

export interface BoxChange {
  readonly set: TaskId[];
  readonly cleared: TaskId[];
}

/**
 * Compare the boxes of two versions of a plan; null if they are equal. A task that `before` lacks counts as open in
 * `before`.
 */
export function boxChange(before: Pick<Plan, "tasks">, after: Pick<Plan, "tasks">): BoxChange | null {
  if (before.tasks === after.tasks) return null;
  const done = new Map(before.tasks.map((task) => [task.id, task.done]));
  const changed = after.tasks.filter((task) => task.done !== (done.get(task.id) ?? false));
  if (changed.length === 0) return null;
  const idsOf = (isDone: boolean): TaskId[] => changed.filter((task) => task.done === isDone).map(({ id }) => id);
  return { set: idsOf(true), cleared: idsOf(false) };
}

export function joinBoxes(first: BoxChange | null, { set, cleared }: BoxChange): BoxChange {
  if (first === null) return { set, cleared };
  const [nowCleared, nowSet] = [new Set(cleared), new Set(set)];
  return {
    set: [...new Set([...first.set.filter((id) => !nowCleared.has(id)), ...set])],
    cleared: [...new Set([...first.cleared.filter((id) => !nowSet.has(id)), ...cleared])],
  };
}

/** Restrict a change to some tasks; null if nothing remains. */
export function boxesOf({ set, cleared }: BoxChange, tasks: ReadonlySet<TaskId>): BoxChange | null {
  const part = { set: set.filter((id) => tasks.has(id)), cleared: cleared.filter((id) => tasks.has(id)) };
  return part.set.length + part.cleared.length === 0 ? null : part;
}

export function withBoxes(plan: Plan, change: BoxChange): Plan {
  const [set, cleared] = [new Set(change.set), new Set(change.cleared)];
  const tasks = plan.tasks.map((task) => {
    const done = set.has(task.id) || (task.done && !cleared.has(task.id));
    return done === task.done ? task : { ...task, done };
  });
  return { ...plan, tasks };
}

/**
 * Open tasks that a run does not do: skipped tasks, their sub-tasks and their fix tasks. Fix tasks of a skipped task
 * stay skipped even if a person has done that task.
 */
export function leftOut(
  { tasks }: { readonly tasks: readonly Pick<Task, "id" | "done" | "fixOf" | "parent">[] },
  skipped: Iterable<TaskId>,
): ReadonlySet<TaskId> {
  const roots = new Set(skipped);
  if (roots.size === 0) return roots;
  const out = new Set<TaskId>();
  const within = new Set<TaskId>();
  let known: number;
  do {
    known = within.size;
    for (const { id, done, fixOf, parent } of tasks) {
      const isBelow = (fixOf !== null && within.has(fixOf)) || (parent !== null && out.has(parent));
      if (!roots.has(id) && !isBelow) continue;
      within.add(id);
      if (!done) out.add(id);
    }
    // A person may have moved a fix task before the task that it repairs, so repeat until nothing is added.
  } while (within.size > known);
  return out;
}

/** Mark skipped tasks as done. */
export function planWithout(plan: Plan, skipped: Iterable<TaskId>): Plan {
  const out = leftOut(plan, skipped);
  if (out.size === 0) return plan;
  return { ...plan, tasks: plan.tasks.map((task) => (out.has(task.id) ? { ...task, done: true } : task)) };
}

/** Choice of tasks to do although the plan says not to delegate them. */
export interface AsideChoice {
  readonly optional: boolean;
  /** Tasks for a person; the run stops at each of them. */
  readonly people: boolean;
}

/** Read the choice of optional tasks and of tasks for people from a policy; without one, use the defaults. */
export const choiceOf = (policy?: Pick<Policy, "optional" | "unattended"> | null): AsideChoice => ({
  optional: policy?.optional === true,
  people: policy?.unattended !== true,
});

const isAside = ({ aside, done }: Pick<Task, "aside" | "done">, { optional, people }: AsideChoice): boolean =>
  !done && aside !== undefined && !(aside === "optional" && optional) && !(aside === "person" && people);

/** Open tasks that the plan says not to delegate. */
export const asideIn = (tasks: readonly Task[], choice: AsideChoice): TaskId[] =>
  tasks.flatMap((task) => (isAside(task, choice) ? [task.id] : []));

/** Parts of a task that decide how it is counted. */
export type Counted = Pick<Task, "fixOf" | "isGroup" | "aside" | "done">;

/** Planned tasks, except open tasks that the plan says not to delegate. */
export const countedIn = <Each extends Counted>(tasks: readonly Each[], choice: AsideChoice): Each[] =>
  tasks.filter((task) => isPlanned(task) && !isAside(task, choice));

/** Count the planned tasks, and how many of these tasks are done, for every view of a run. */
export function countDone(
  tasks: readonly Counted[],
  choice: AsideChoice,
): { readonly total: number; readonly completed: number } {
  const counted = countedIn(tasks, choice);
  return { total: counted.length, completed: counted.filter(({ done }) => done).length };
}

/**
 * Advise a person to look at a changed plan.
 *
 * @param keptAt Path of the earlier version; null if the earlier version is not stored.
 */
export const lookAtPlan = (then: string, keptAt: string | null): string =>
  `Look at tasks.md${keptAt === null ? "" : ` (earlier version: ${keptAt})`}${then}`;
