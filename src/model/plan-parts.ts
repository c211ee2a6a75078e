import type { Plan } from "./plan.ts";
import type { Task } from "./task.ts";

/** A plan and the text it was read from. */
export interface PlanText {
  readonly text: string;
  readonly plan: Pick<Plan, "tasks">;
}

/** A piece of the text of a plan, by which it can be found in another version of that plan. */
export interface PlanPart {
  readonly text: string;
  /** The task that says it itself, its box open; null for text outside of all tasks. */
  readonly task: Task | null;
  /** Text outside of all tasks: the task it stands above; null after the last one. */
  readonly above: Task | null;
}

/**
 * Split the text of a plan: the text of each task without the tasks in its block, and what stands above, between and
 * after them.
 *
 * @returns By keys that are the same for the same part of another version; of several tasks with one id the first is
 *   the same as the first.
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

/** Key of what stands after the last task. */
export const afterAll = "after all";

/** Keys of tasks: their ids, and which of several with that id they are. */
export function keysOf(tasks: readonly Pick<Task, "id">[]): string[] {
  const seen = new Map<string, number>();
  return tasks.map(({ id }) => {
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return `${id} ${count}`;
  });
}

function ownText(text: string, tasks: readonly Task[], index: number): string {
  const { start, end, box } = tasks[index] as Task;
  let own = `${text.slice(start, box)} `;
  let at = box + 1;
  for (let next = index + 1; (tasks[next]?.start ?? end) < end; next += 1) {
    const inner = tasks[next] as Task;
    if (inner.start < at) continue;
    own += text.slice(at, inner.start);
    at = inner.end;
  }
  return own + text.slice(at, end);
}
