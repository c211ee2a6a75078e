import type { SpecOutcome } from "../../machines/spec.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { addressIn } from "../effects/spec-paths.ts";
import { takeTicksBack } from "../effects/take-ticks-back.ts";
import { withMemory } from "../effects/with-memory.ts";
import { findPrPhase } from "../markdown/find-pr-phase.ts";
import { exitCodes, type RunEnded } from "../model/event.ts";
import { countProofs, type Proof, type Proofs } from "../model/evidence.ts";
import type { SpentByPurpose } from "../model/ledger.ts";
import type { Denial } from "../model/limits.ts";
import { countTasks } from "../model/plan.ts";
import { boxChange, leftOut } from "../model/plan-parts.ts";
import { type PolicyInput, readPolicy } from "../model/policy.ts";
import type { Book } from "../model/pull-request.ts";
import type { Task, TaskId } from "../model/task.ts";
import type { Ports } from "../ports/ports.ts";
import { logEndings } from "./log-endings.ts";
import type { RunSetup } from "./run-setup.ts";
import { type Stop, stopFor, stopOf } from "./stop.ts";

/** Whether there is something to compare. */
const isTold = (costs: SpentByPurpose): boolean =>
  Object.keys(costs).length > 1 && Object.values(costs).some(({ costUsd, tokens }) => costUsd > 0 || tokens > 0);

/** What has shown that planned tasks are done; null where the run has accepted none. */
function proofsOf(tasks: readonly Task[], known: ReadonlyMap<TaskId, Proof>): Proofs | null {
  const planned = tasks.flatMap(({ id, fixOf }): (readonly [TaskId, Proof])[] => {
    const proof = fixOf === null ? known.get(id) : undefined;
    return proof === undefined ? [] : [[id, proof]];
  });
  return planned.length === 0 ? null : countProofs(planned);
}

/** The pull request that was made or watched, and who still requests changes there; nothing without one. */
function shippedIn({ number, url, requesting = [] }: Book): Pick<RunEnded, "shipped"> {
  if (number === null || url === null) return {};
  return { shipped: { number, url, ...(requesting.length > 0 && { requesting }) } };
}

/** How the loop ended, before it is told to anybody. */
export interface Ending {
  readonly ended: RunEnded;
  readonly denial: Denial | null;
  /** Whether the documents are as the run leaves them; else the next start is to take it for killed. */
  readonly settled: boolean;
  /** Whether the next start resumes in the middle of the turn, although the outcome is a gate. */
  readonly midTurn?: true;
}

/**
 * Leave the documents as a run leaves them, and tell how it ended: for hosts that drive its charts themselves.
 *
 * @param ports Those of its effects, with its memory and the plan as it is known.
 * @param outcome What the charts have come to.
 * @param policy That of the run (the defaults when not given).
 */
export async function endRun(
  ports: Ports & { readonly attempts: RunMemory },
  outcome: SpecOutcome,
  policy: PolicyInput = {},
): Promise<Ending> {
  const { signal } = new AbortController();
  const whole = withMemory(ports);
  const { attempts: memory } = ports;
  const stop = stopOf(outcome, { memory, policy: readPolicy(policy), address: addressIn(whole) });
  return conclude({ ports: whole, memory, signal }, stop);
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
  const { text, plan } = await ports.plan.known();
  const { tasks } = plan;
  // What is told of that phase is that nobody has made one.
  const { pullRequest: book } = memory.state;
  const pullRequest = book === undefined ? findPrPhase(text, plan)?.phase : undefined;
  const { iterations, costUsd, tokens, elapsedMs } = memory.ledger;
  let stop = reached;
  let settled = true;
  try {
    await keepBoxes();
    // Ticks that stand in the plan when it goes on are the work of people.
    await takeTicksBack(ports);
    // One that was stopped goes on where it was, also where the log was refused.
    if (reached.outcome !== "environment" && reached.outcome !== "interrupted")
      await logEndings(ports, memory, reached);
  } catch (error) {
    settled = false;
    const failed = stopFor(error, signal, addressIn(ports));
    if (reached.outcome !== "environment") stop = failed;
  }
  const added = Object.keys(book?.tasks ?? {});
  const proofs = proofsOf(
    tasks.filter(({ id }) => !added.includes(id)),
    memory.proofs(),
  );
  const excused = memory.excused();
  const skipped = memory.skipped();
  const leftOpen = tasks.flatMap(({ id, done, aside }) =>
    done || aside === undefined ? [] : [{ task: id, why: aside }],
  );
  // The record of a pass may have been refused behind its tick.
  const inFlight = memory.inFlight();
  const ended: RunEnded = {
    type: "run.ended",
    outcome: stop.outcome,
    exitCode: exitCodes[stop.outcome],
    ...countTasks(tasks, added),
    attempts: iterations,
    ...(memory.costs.operator !== undefined && { toOperator: memory.costs.operator.delegations }),
    skipped: [...leftOut({ tasks }, skipped.keys())].filter((id) => skipped.has(id)),
    ...(leftOpen.length > 0 && { leftOpen }),
    ...(proofs !== null && { proofs }),
    ...(excused.length > 0 && { knownFailures: excused.map(({ id }) => id) }),
    ...(memory.superseded().size > 0 && { superseded: [...memory.superseded().keys()] }),
    ...(pullRequest !== undefined && { pullRequest }),
    ...(book !== undefined && shippedIn(book)),
    tickedByHand: tasks.filter(
      ({ id, done, isGroup }) => done && isGroup === undefined && !memory.isAccepted(id) && !inFlight.has(id),
    ).length,
    durationMs: Math.round(elapsedMs),
    ...(costUsd > 0 && { costUsd }),
    ...(tokens > 0 && { tokens }),
    ...(isTold(memory.costs) && { spent: memory.costs }),
    ...(stop.error !== undefined && { error: stop.error }),
    ...(stop.hint !== undefined && { hint: stop.hint }),
  };
  return { ended, denial: stop.denial ?? null, settled, ...(stop.midTurn && { midTurn: true }) };

  /** What executors have ticked beside or for a claim that nobody has judged yet is still to be judged. */
  async function keepBoxes(): Promise<void> {
    const { known, found } = await ports.plan.read();
    const boxes = known === found ? null : boxChange(known.plan, found.plan);
    if (boxes === null) return;
    const unjudged = memory.unjudged().map((key) => ({ type: "boxes", key, ...boxes }) as const);
    if (unjudged.length > 0) memory.record(unjudged);
  }
}
