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

/** Whether there are costs to compare. */
const isTold = (costs: SpentByPurpose): boolean =>
  Object.keys(costs).length > 1 && Object.values(costs).some(({ costUsd, tokens }) => costUsd > 0 || tokens > 0);

/** The proofs of planned tasks; null if the run accepted none. */
function proofsOf(tasks: readonly Task[], known: ReadonlyMap<TaskId, Proof>): Proofs | null {
  const planned = tasks.flatMap(({ id, fixOf }): (readonly [TaskId, Proof])[] => {
    const proof = fixOf === null ? known.get(id) : undefined;
    return proof === undefined ? [] : [[id, proof]];
  });
  return planned.length === 0 ? null : countProofs(planned);
}

/** The run's pull request, and who still requests changes; empty if there is none. */
function shippedIn({ number, url, requesting = [] }: Book): Pick<RunEnded, "shipped"> {
  if (number === null || url === null) return {};
  return { shipped: { number, url, ...(requesting.length > 0 && { requesting }) } };
}

/** How the loop ended, before it is reported. */
export interface Ending {
  readonly ended: RunEnded;
  readonly denial: Denial | null;
  /** Whether the documents are in their final state; if not, the next start treats this one as killed. */
  readonly settled: boolean;
  /** Whether the next start resumes mid-turn although the outcome is a gate. */
  readonly midTurn?: true;
}

/**
 * Finish the documents and report the outcome, for hosts that drive the charts themselves.
 *
 * @param ports Ports of the effects, with memory and known plan.
 * @param outcome Outcome of the charts.
 * @param policy The run's policy (defaults if not given).
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
 * Finish the documents and report the outcome.
 *
 * @param reached Why the loop stopped; a failure to finish the documents takes precedence.
 */
export async function conclude(
  { ports, memory, signal }: Pick<RunSetup, "ports" | "memory" | "signal">,
  reached: Stop,
): Promise<Ending> {
  const { text, plan } = await ports.plan.known();
  const { tasks } = plan;
  // The report of that phase is that there is no pull request.
  const { pullRequest: book } = memory.state;
  const pullRequest = book === undefined ? findPrPhase(text, plan)?.phase : undefined;
  const { iterations, costUsd, tokens, elapsedMs } = memory.ledger;
  let stop = reached;
  let settled = true;
  try {
    await keepBoxes();
    // Ticks found at the next start must come from people.
    await takeTicksBack(ports);
    // An interrupted run resumes where it was, even if the journal refused a record.
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
  // A pass may be ticked although its record was refused.
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

  /** Keep boxes that executors ticked for unjudged claims, so that they can be judged. */
  async function keepBoxes(): Promise<void> {
    const { known, found } = await ports.plan.read();
    const boxes = known === found ? null : boxChange(known.plan, found.plan);
    if (boxes === null) return;
    const unjudged = memory.unjudged().map((key) => ({ type: "boxes", key, ...boxes }) as const);
    if (unjudged.length > 0) memory.record(unjudged);
  }
}
