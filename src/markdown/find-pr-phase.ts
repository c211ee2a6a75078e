import type { Plan } from "../model/plan.ts";
import type { PullRequestPhase } from "../model/pull-request.ts";
import type { Problem } from "../model/rule.ts";
import type { TaskId } from "../model/task.ts";
import { cutDocument } from "./document/cut-chunks.ts";
import { placeHeadings } from "./document/place-tasks.ts";
import { finding } from "./lint/finding.ts";

const named = /^(?:phase[ \t]+\d+[ \t]*[:.–—-][ \t]*)?PR lifecycle\b/i;
const mayBeThere = /PR lifecycle/i;

/** The phase of a plan that is about a pull request, as its heading says, and the line of that; null when it has none. */
export function findPrPhase(
  text: string,
  { tasks }: Pick<Plan, "tasks">,
): { readonly line: number; readonly phase: PullRequestPhase; readonly inside: readonly TaskId[] } | null {
  // A plan may be large, and is asked at the end of every run.
  if (!mayBeThere.test(text)) return null;
  const heading = placeHeadings(cutDocument(text), text.length).find(({ title }) => named.test(title));
  if (heading === undefined) return null;
  const { title, line, start, end } = heading;
  const inside = tasks.filter((task) => task.start > start && task.start < end);
  const open = inside.filter(({ done }) => !done).map(({ id }) => id);
  return { line, phase: { title, tasks: inside.length, open }, inside: inside.map(({ id }) => id) };
}

/** That a plan wants more done for a pull request than a run does. */
export function findPrProblem(text: string, plan: Pick<Plan, "tasks">): Problem[] {
  const found = findPrPhase(text, plan);
  // Where all is done, nobody waits for more.
  if (found === null || plan.tasks.every(({ done }) => done)) return [];
  return [finding("pr-lifecycle", found.line, found.phase.title, found.phase.tasks > 0)];
}
