import { doneAsKnown, keysOf, type PlanText, withSteps, withTicks } from "../model/plan-parts.ts";
import type { TaskId } from "../model/task.ts";
import type { Documents } from "../ports/documents.ts";
import type { Ports } from "../ports/ports.ts";
import type { TrackedPlan } from "./tracked-plan.ts";
import { editAgain } from "./tracked-plan.ts";

type TickPorts = { readonly documents: Documents; readonly plan: Pick<TrackedPlan, "read"> } & Pick<
  Ports,
  "onProgress"
>;

/**
 * Reset every box to the known state: clear unaccepted ticks, also of tasks with duplicate ids, and restore lost ticks,
 * with a notice. Texts stay unchanged.
 *
 * @param standing Tasks whose boxes may stay as their executors left them.
 */
export async function revertUnverifiedTicks(
  { documents, plan, onProgress }: TickPorts,
  standing: ReadonlySet<TaskId> = new Set(),
): Promise<void> {
  const { known, found: first } = await plan.read();
  if (known === first) return;
  // A heading with some of its steps ticked stays open.
  const isStepped = withSteps(first, known, standing) !== first.text;
  if (isStepped) await editAgain(() => documents.rewrite((now) => withSteps(now, known, standing)));
  const { found } = isStepped ? await plan.read() : { found: first };
  const ticksIn = (now: PlanText): (boolean | null)[] => {
    const done = doneAsKnown(known.plan, now.plan);
    return now.plan.tasks.map(({ id }, index) => (standing.has(id) ? null : (done[index] as boolean)));
  };
  const { tasks } = found.plan;
  const ticks = ticksIn(found);
  const differing = tasks.filter(({ done }, index) => (ticks[index] ?? done) !== done);
  if (differing.length === 0) return;
  const doubled = new Set(keysOf(tasks).flatMap((key, index) => (key.endsWith(" 0") ? [] : [tasks[index]?.id])));
  if (differing.some(({ id }) => doubled.has(id))) {
    await editAgain(() => documents.rewrite((now) => withTicks(now, ticksIn(now))));
  } else {
    for (const { id, done } of differing) await editAgain(() => documents.tick(id, !done));
  }
  const lost = differing.flatMap(({ id, done }) => (done ? [] : [id]));
  if (lost.length === 0) return;
  onProgress?.({ type: "notice", message: `Lost ticks restored in tasks.md: ${lost.join(", ")}` });
}
