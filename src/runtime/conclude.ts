import { addressIn } from "../effects/spec-paths.ts";
import { takeTicksBack } from "../effects/take-ticks-back.ts";
import { boxChange } from "../model/box-change.ts";
import { exitCodes, type RunEnded } from "../model/event.ts";
import { type SpentByPurpose, spentOn, supersededIn } from "../model/ledger.ts";
import { leftOut } from "../model/left-out.ts";
import type { Denial } from "../model/limits.ts";
import { countTasks } from "../model/plan.ts";
import { lineageIn } from "../recover/check-limit.ts";
import type { RunSetup } from "./run-setup.ts";
import { type Stop, stopFor } from "./stop.ts";

/** Whether there is something to compare. */
const isTold = (costs: SpentByPurpose): boolean =>
  Object.keys(costs).length > 1 && Object.values(costs).some(({ costUsd, tokens }) => costUsd > 0 || tokens > 0);

/** How the loop ended, before it is told to anybody. */
export interface Ending {
  readonly ended: RunEnded;
  readonly denial: Denial | null;
  /** Whether the documents are as the run leaves them; else the next start is to take it for killed. */
  readonly settled: boolean;
}

/**
 * Leave the documents as the run leaves them, and tell how it ended.
 *
 * @param reached Why the loop has stopped: that the documents cannot be left so weighs more.
 */
export async function conclude(
  { ports, memory, signal }: Pick<RunSetup, "ports" | "memory" | "signal">,
  reached: Stop,
): Promise<Ending> {
  const { tasks } = (await ports.plan.known()).plan;
  const { iterations, costUsd, tokens, elapsedMs, tasks: spent } = memory.ledger;
  let stop = reached;
  let settled = true;
  try {
    await keepBoxes();
    // Ticks that stand in the plan when it goes on are the work of people.
    await takeTicksBack(ports);
    if (reached.denial !== undefined) await logExhausted(reached.denial);
  } catch (error) {
    settled = false;
    const failed = stopFor(error, signal, addressIn(ports));
    if (reached.outcome !== "environment") stop = failed;
  }
  const ended: RunEnded = {
    type: "run.ended",
    outcome: stop.outcome,
    exitCode: exitCodes[stop.outcome],
    ...countTasks(tasks),
    attempts: iterations,
    ...(memory.costs.operator !== undefined && { toOperator: memory.costs.operator.delegations }),
    skipped: [...leftOut({ tasks }, memory.skipped().keys())].filter((id) => memory.skipped().has(id)),
    ...(memory.unverified.size > 0 && { unverified: [...memory.unverified] }),
    ...(memory.superseded().size > 0 && { superseded: [...memory.superseded().keys()] }),
    tickedByHand: tasks.filter(({ id, done }) => done && !memory.accepted.has(id)).length,
    durationMs: Math.round(elapsedMs),
    ...(costUsd > 0 && { costUsd }),
    ...(tokens > 0 && { tokens }),
    ...(isTold(memory.costs) && { spent: memory.costs }),
    ...(stop.error !== undefined && { error: stop.error }),
    ...(stop.hint !== undefined && { hint: stop.hint }),
  };
  return { ended, denial: stop.denial ?? null, settled };

  /** What executors have ticked beside or for a claim that nobody has judged yet is still to be judged. */
  async function keepBoxes(): Promise<void> {
    const { known, found } = await ports.plan.read();
    const boxes = known === found ? null : boxChange(known.plan, found.plan);
    if (boxes === null) return;
    for (const key of memory.unjudged()) memory.note({ type: "boxes", key, ...boxes });
  }

  /** The chain of fixes of a task that could not be finished, into the progress log. */
  async function logExhausted({ task }: Denial): Promise<void> {
    for (const id of lineageIn(spent, task).reverse()) {
      const { fixes } = spentOn(spent, id);
      if (fixes.length === 0) continue;
      const superseded = supersededIn(spent);
      await ports.documents.append({ kind: "fixes", task: id, fixes, superseded, final: "FAIL (max limit)" });
    }
  }
}
