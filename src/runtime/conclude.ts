import type { SpecOutcome } from "../../machines/spec.ts";
import { rerunsFirst } from "../effects/reruns-first.ts";
import { revertUnverifiedTicks } from "../effects/revert-unverified-ticks.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { addressIn } from "../effects/spec-paths.ts";
import { type WholePorts, withMemory } from "../effects/with-memory.ts";
import { findPrPhase } from "../markdown/find-pr-phase.ts";
import { undoneIn } from "../markdown/progress/append-fix-history.ts";
import { hasLearnings } from "../markdown/progress/has-learnings.ts";
import { exitCodes, type RunEnded } from "../model/event.ts";
import { countProofs, type Proof, type Proofs } from "../model/evidence.ts";
import type { FixEnd } from "../model/failure.ts";
import { type SpentByPurpose, spentOn, supersededIn } from "../model/ledger.ts";
import type { Denial } from "../model/limits.ts";
import { countTasks } from "../model/plan.ts";
import { boxChange, leftOut } from "../model/plan-parts.ts";
import { type PolicyInput, readPolicy } from "../model/policy.ts";
import type { Book } from "../model/pull-request.ts";
import type { Task, TaskId } from "../model/task.ts";
import type { Ports } from "../ports/ports.ts";
import { fixesBelow } from "../recover/check-limit.ts";
import type { RunSetup } from "./run-setup.ts";
import { type Stop, stopFor, stopOf } from "./stop.ts";

const isTold = (costs: SpentByPurpose): boolean =>
  Object.keys(costs).length > 1 && Object.values(costs).some(({ costUsd, tokens }) => costUsd > 0 || tokens > 0);

function proofsOf(tasks: readonly Task[], known: ReadonlyMap<TaskId, Proof>): Proofs | null {
  const planned = tasks.flatMap(({ id, fixOf }): (readonly [TaskId, Proof])[] => {
    const proof = fixOf === null ? known.get(id) : undefined;
    return proof === undefined ? [] : [[id, proof]];
  });
  return planned.length === 0 ? null : countProofs(planned);
}

/** The run's pull request, and the reviewers who still request changes; empty if there is no pull request. */
function shippedIn({ number, url, requesting = [] }: Book): Pick<RunEnded, "shipped"> {
  if (number === null || url === null) return {};
  return { shipped: { number, url, ...(requesting.length > 0 && { requesting }) } };
}

/** End of the loop, before the end is reported. */
export interface Ending {
  readonly ended: RunEnded;
  readonly denial: Denial | null;
  /** Whether the documents are in their final state. If false, the next start treats this start as killed. */
  readonly settled: boolean;
  /** Whether the next start resumes mid-turn although the outcome is a gate. */
  readonly midTurn?: true;
}

/** Read the facts that explain a stop and are not in the state of the run. */
export const factsForStop = async (
  ports: WholePorts,
): Promise<Pick<Parameters<typeof stopOf>[1], "rerunsFirst" | "hasLearnings">> => ({
  rerunsFirst: await rerunsFirst(ports),
  // Ignore an unreadable log: the end of the run reports the error.
  hasLearnings: hasLearnings(await ports.documents.progress().catch(() => "")),
});

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
  const reader = { memory, address: addressIn(whole), ...(await factsForStop(whole)) };
  const stop = stopOf(outcome, { ...reader, policy: readPolicy(policy) });
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
  // If the plan has a PR phase and the run has no pull request, report the phase.
  const { pullRequest: book } = memory.state;
  const pullRequest = book === undefined ? findPrPhase(text, plan)?.phase : undefined;
  const { iterations, costUsd, tokens, elapsedMs } = memory.ledger;
  let stop = reached;
  let settled = true;
  try {
    await keepBoxes();
    // Clear unaccepted ticks now: the next start assumes that people made the ticks it finds.
    await revertUnverifiedTicks(ports);
    // No task has ended if the outcome is `environment` or `interrupted`: the run resumes where it was.
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
  const leftOpen = tasks.flatMap(({ id, done, aside, left = [] }) =>
    [...(done || aside === undefined ? [] : [aside]), ...left].map((why) => ({ task: id, why })),
  );
  // A task in flight may be ticked although the journal refused the record of its pass.
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

  /** Keep boxes that executors ticked for unjudged claims, so that the claims can be judged. */
  async function keepBoxes(): Promise<void> {
    const { known, found } = await ports.plan.read();
    const boxes = known === found ? null : boxChange(known.plan, found.plan);
    if (boxes === null) return;
    const unjudged = memory.unjudged().map((key) => ({ type: "boxes", key, ...boxes }) as const);
    if (unjudged.length > 0) memory.record(unjudged);
  }
}

/** Log the results of tasks with fixes: of done tasks, and of open tasks with which the run does not continue. */
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
   * Why the run ends with an open tree. Null if the run can continue with the tree, or has already reported the skip of
   * the tree.
   */
  function leftAs(root: TaskId): FixEnd | null {
    if (skipped.has(root)) return null;
    if (outcome === "gate" || outcome === "checkpoint" || outcome === "cancelled") return "WAITING";
    if (denial === undefined) return null;
    // In a batch, one member may reach a limit while another waits for a person.
    const { asked, level } = memory.escalation(root);
    const waits = memory.rootOf(denial.task) !== root && (asked || level === "checkpoint");
    return waits ? "WAITING" : "FAIL (max limit)";
  }
}
