import type { RunMemory } from "../effects/run-memory.ts";
import type { WholePorts } from "../effects/with-memory.ts";
import { undoneIn } from "../markdown/progress/append-fix-history.ts";
import type { FixEnd } from "../model/failure.ts";
import { spentOn, supersededIn } from "../model/ledger.ts";
import type { TaskId } from "../model/task.ts";
import { fixesBelow } from "../recover/check-limit.ts";
import type { Stop } from "./stop.ts";

/**
 * Log in the progress log how tasks with fixes ended: those that the run leaves open, and those that are done by now.
 */
export async function logEndings(
  { plan, documents }: Pick<WholePorts, "plan" | "documents">,
  memory: RunMemory,
  { outcome, denial }: Pick<Stop, "outcome" | "denial">,
): Promise<void> {
  const { tasks: spent } = memory.ledger;
  const superseded = supersededIn(spent);
  const isSuperseded = new Set(superseded);
  const fixesOf = (task: TaskId): readonly TaskId[] => spentOn(spent, task).fixes;
  const log = (task: TaskId, final: FixEnd): Promise<void> =>
    documents.append({ kind: "fixes", task, fixes: fixesOf(task), superseded, final });
  const skipped = memory.skipped();
  const undone = new Set(undoneIn(await documents.progress()));
  const { tasks } = (await plan.known()).plan;
  for (const { id, done } of tasks) {
    const isToTell = undone.has(id) || (fixesOf(id).length > 0 && !memory.isAccepted(id));
    if (done && isToTell) await log(id, doneBy(id));
  }
  const open = new Set(tasks.filter(({ done }) => !done).map(({ id }) => id));
  for (const { id: root } of tasks) {
    const final = memory.rootOf(root) === root ? leftAs(root) : null;
    if (final === null) continue;
    for (const task of [root, ...fixesBelow(spent, root)].reverse()) {
      if (open.has(task) && fixesOf(task).length > 0) {
        await log(task, isSuperseded.has(task) ? "superseded" : final);
      }
    }
  }

  function doneBy(task: TaskId): FixEnd {
    if (isSuperseded.has(task)) return "superseded";
    return memory.isAccepted(task) ? "PASS" : "done by hand";
  }

  /**
   * Why the run leaves a tree open; null if the run continues with it, or already reported that it continues without
   * it.
   */
  function leftAs(root: TaskId): FixEnd | null {
    if (skipped.has(root)) return null;
    if (outcome === "gate" || outcome === "checkpoint" || outcome === "cancelled") return "WAITING";
    if (denial === undefined) return null;
    // In a batch, one member may hit a limit and another a question.
    const { asked, level } = memory.escalation(root);
    const waits = memory.rootOf(denial.task) !== root && (asked || level === "checkpoint");
    return waits ? "WAITING" : "FAIL (max limit)";
  }
}
