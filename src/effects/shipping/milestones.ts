import { findPrPhase } from "../../markdown/find-pr-phase.ts";
import { type Milestone, milestoneIn } from "../../model/pull-request.ts";
import type { TaskId } from "../../model/task.ts";
import type { WholePorts } from "../with-memory.ts";

/** Open tasks of the plan about the pull request itself, each with the event that completes it. */
export async function openMilestones({ plan, attempts }: WholePorts): Promise<Map<TaskId, Milestone>> {
  const known = await plan.known();
  const open = new Set(findPrPhase(known.text, known.plan)?.phase.open ?? []);
  const added = attempts.pullRequest().tasks;
  const found = known.plan.tasks.flatMap(({ id, title, fixOf }) => {
    const milestone = open.has(id) && fixOf === null && !Object.hasOwn(added, id) ? milestoneIn(title) : null;
    return milestone === null ? [] : [[id, milestone] as const];
  });
  return new Map(found);
}

/**
 * Tick reached milestones. They are recorded first, so that a start after a kill does not take the ticks for a
 * person's.
 */
export async function tickMilestones(ports: WholePorts, ...reached: readonly Milestone[]): Promise<void> {
  const due = [...(await openMilestones(ports))].flatMap(([id, milestone]) =>
    reached.includes(milestone) ? [id] : [],
  );
  if (due.length === 0) return;
  ports.attempts.record([{ type: "reached", tasks: due }]);
  for (const id of due) await ports.plan.exclusively(() => ports.plan.tick(id, true));
}
