import type { Plan } from "../model/plan.ts";
import type { PullRequestPhase } from "../model/pull-request.ts";
import { lintProblem, type Problem } from "../model/rule.ts";
import type { TaskId } from "../model/task.ts";
import { cutDocument } from "./document/cut-chunks.ts";
import { headingsOf } from "./progress/progress-section.ts";
import { splitLines } from "./text/line-ending.ts";

const named = /^(?:phase[ \t]+\d+[ \t]*[:.–—-][ \t]*)?PR lifecycle\b/i;
const mayBeThere = /PR lifecycle/i;

/** The phase of a plan that is about a pull request, as its heading says, and the line of that; null when it has none. */
export function findPrPhase(
  text: string,
  { tasks }: Pick<Plan, "tasks">,
): { readonly line: number; readonly phase: PullRequestPhase; readonly inside: readonly TaskId[] } | null {
  // A plan may be large, and is asked at the end of every run.
  if (!mayBeThere.test(text)) return null;
  const headings = headingsOf(cutDocument(text));
  const at = headings.findIndex(({ title }) => named.test(title));
  const heading = headings[at];
  if (heading === undefined) return null;
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level);
  const lineOf = (start: number): number => splitLines(text.slice(0, start)).length;
  const [line, end] = [lineOf(heading.start), next === undefined ? Number.POSITIVE_INFINITY : lineOf(next.start)];
  const inside = tasks.filter((task) => task.line > line && task.line < end);
  const open = inside.filter(({ done }) => !done).map(({ id }) => id);
  return { line, phase: { title: heading.title, tasks: inside.length, open }, inside: inside.map(({ id }) => id) };
}

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
