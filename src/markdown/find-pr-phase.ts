import type { Plan } from "../model/plan.ts";
import type { PullRequestPhase } from "../model/pull-request.ts";
import type { Problem } from "../model/rule.ts";
import type { TaskId } from "../model/task.ts";
import { cutDocument } from "./document/cut-chunks.ts";
import { placeHeadings } from "./document/place-tasks.ts";
import { findingBy } from "./finding.ts";

const finding = findingBy({
  "pr-lifecycle": (title: string, hasTasks: boolean) => [
    `Without \`--pull-request\`, no pull request is created or watched: in "${title}" ${hasTasks ? "only the steps with a box are done" : "nothing is done, as it has no task"}`,
    "Write these steps as tasks, or do them yourself",
  ],
});

const named = /^(?:phase[ \t]+\d+[ \t]*[:.–—-][ \t]*)?PR lifecycle\b/i;
const mayBeThere = /PR lifecycle/i;

/** Find the phase whose heading is about a pull request, with the line of that heading; null if there is none. */
export function findPrPhase(
  text: string,
  { tasks }: Pick<Plan, "tasks">,
): { readonly line: number; readonly phase: PullRequestPhase; readonly inside: readonly TaskId[] } | null {
  // Check quickly first: a plan may be large, and this function is called at every end of a run.
  if (!mayBeThere.test(text)) return null;
  const heading = placeHeadings(cutDocument(text), text.length).find(({ title }) => named.test(title));
  if (heading === undefined) return null;
  const { title, line, start, end } = heading;
  const inside = tasks.filter((task) => task.start > start && task.start < end);
  const open = inside.filter(({ done }) => !done).map(({ id }) => id);
  return { line, phase: { title, tasks: inside.length, open }, inside: inside.map(({ id }) => id) };
}

/** Report a plan whose pull request phase expects steps that a run does not take. */
export function findPrProblem(text: string, plan: Pick<Plan, "tasks">): Problem[] {
  const found = findPrPhase(text, plan);
  // A finished plan expects nothing more.
  if (found === null || plan.tasks.every(({ done }) => done)) return [];
  return [finding("pr-lifecycle", found.line, found.phase.title, found.phase.tasks > 0)];
}
