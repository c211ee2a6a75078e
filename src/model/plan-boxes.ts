import type { Plan } from "./plan.ts";
import type { PlanText } from "./plan-parts.ts";
import type { Task } from "./task.ts";

/**
 * Tell for each task of a plan whether it is done as far as is known. Where tasks were added, removed, moved or renamed, a
 * task has to have the title as well as the id of a known one, and counts once: of two with one id, one at most is done.
 *
 * @param known What is ticked there counts as done.
 */
export function doneAsKnown({ tasks: known }: Pick<Plan, "tasks">, { tasks }: Pick<Plan, "tasks">): boolean[] {
  const isInOrder =
    known.length === tasks.length &&
    known.every((was, index) => {
      const is = tasks[index] as Task;
      // The title of a finished task may have changed.
      return was.id === is.id && (was.done || nameOf(was) === nameOf(is));
    });
  if (isInOrder) return known.map(({ done }) => done);
  const done = new Map<string, boolean[]>();
  for (const task of known) done.set(nameOf(task), [...(done.get(nameOf(task)) ?? []), task.done]);
  return tasks.map((task) => done.get(nameOf(task))?.shift() ?? false);
}

const nameOf = ({ id, title, markers }: Task): string => [id, title, ...markers].join("\n");

/** The text of a plan with other boxes: for each task in order whether it is ticked; null leaves it as it is. */
export function withTicks({ text, plan: { tasks } }: PlanText, ticks: readonly (boolean | null)[]): string {
  let after = "";
  let at = 0;
  tasks.forEach(({ box, done }, index) => {
    const tick = ticks[index] ?? done;
    if (tick === done) return;
    after += `${text.slice(at, box)}${tick ? "x" : " "}`;
    at = box + 1;
  });
  return after + text.slice(at);
}
