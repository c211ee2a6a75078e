import { diffPlans } from "./diff-plans.ts";
import type { Plan } from "./plan.ts";
import type { PlanText } from "./plan-parts.ts";
import type { Task } from "./task.ts";

/**
 * Tell for each task of a plan whether it is done as far as is known. Where tasks were added, removed or renamed, a task
 * has to have the title as well as the id of a known one, and counts once: of two with one id, one at most is done.
 *
 * @param known What is ticked there counts as done.
 */
export function doneAsKnown(known: Pick<Plan, "tasks">, found: Pick<Plan, "tasks">): boolean[] {
  const isInOrder = diffPlans(known, found).every((difference) => {
    if (difference.kind !== "edited") return !["added", "removed", "renamed"].includes(difference.kind);
    return difference.before.done || !difference.texts.some((text) => text === "title" || text === "markers");
  });
  const nameOf = ({ id, title, markers }: Task): string => (isInOrder ? id : JSON.stringify([id, title, markers]));
  const done = new Map<string, boolean[]>();
  for (const task of known.tasks) done.set(nameOf(task), [...(done.get(nameOf(task)) ?? []), task.done]);
  return found.tasks.map((task) => done.get(nameOf(task))?.shift() ?? false);
}

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
