import type { Task, TaskId } from "../../model/task.ts";
import { groupsOf } from "../../model/work-in.ts";

/** What has to be done before something else: a task, or all that the beginning of a group waits for. */
interface Step {
  /** Null for the beginning of a group. */
  readonly task: TaskId | null;
  readonly needs: Step[];
  /** Those that need it. */
  readonly needed: Step[];
  /** Of its needs, how many are not done with. */
  left: number;
}

/** Open tasks and groups of which each depends on the next, and the last on the first; null for none. */
export function findCircle(tasks: readonly Task[]): TaskId[] | null {
  if (tasks.every(({ after }) => after === undefined)) return null;
  const open = tasks.filter(({ done }) => !done);
  const steps = new Map<TaskId, Step>();
  const beginnings = new Map<Task, Step>();
  for (const task of open) {
    if (!steps.has(task.id)) steps.set(task.id, newStep(task.id));
    if (task.isGroup === true) beginnings.set(task, newStep(null));
  }
  const holderOf = groupsOf(open);
  for (const task of open) {
    const step = steps.get(task.id) as Step;
    const holder = holderOf(task);
    // A group is done with its tasks, each of which waits for what the group waits for.
    const first = beginnings.get(task) ?? step;
    for (const id of task.after ?? []) join(first, steps.get(id));
    // Ids are written by anybody: a group may have that of the one it stands in.
    if (holder === undefined || holder.id === task.id) continue;
    join(steps.get(holder.id) as Step, step);
    join(first, beginnings.get(holder));
  }
  const all = [...steps.values(), ...beginnings.values()];
  const done = all.filter(({ left }) => left === 0);
  for (const step of done) {
    for (const other of step.needed) {
      other.left -= 1;
      if (other.left === 0) done.push(other);
    }
  }
  return circleFrom(all.find(({ left }) => left > 0));
}

const newStep = (task: TaskId | null): Step => ({ task, needs: [], needed: [], left: 0 });

function join(step: Step, need: Step | undefined): void {
  if (need === undefined) return;
  step.needs.push(need);
  need.needed.push(step);
  step.left += 1;
}

/** The circle that one comes to who goes from need to need. */
function circleFrom(first: Step | undefined): TaskId[] | null {
  const seen = new Map<Step, number>();
  for (let step = first; step !== undefined; step = step.needs.find(({ left }) => left > 0)) {
    const at = seen.get(step);
    if (at !== undefined) {
      const circle = [...seen.keys()].slice(at).flatMap(({ task }) => task ?? []);
      return circle.length === 0 ? null : circle;
    }
    seen.set(step, seen.size);
  }
  return null;
}
