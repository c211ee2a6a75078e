import type { Plan } from "../../model/plan.ts";
import { lintProblem, type Problem } from "../../model/rule.ts";
import { findPrPhase } from "../find-pr-phase.ts";

/** That a plan wants more done for a pull request than a run does. */
export function findPrProblem(text: string, plan: Pick<Plan, "tasks">): Problem[] {
  const found = findPrPhase(text, plan);
  // Where all is done, nobody waits for more.
  if (found === null || plan.tasks.every(({ done }) => done)) return [];
  const { line, phase } = found;
  const rest = phase.tasks === 0 ? "nothing is done, as it has no task" : "only the tasks are done";
  const message = `fixpoint creates and watches no pull request: of "${phase.title}" ${rest}`;
  return [lintProblem("pr-lifecycle", line, message, "Write what is to be done as tasks, or see to it yourself")];
}
