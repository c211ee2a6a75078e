import { createSpecMachine, type SpecOutcome } from "../../machines/spec.ts";
import { createEffects } from "../effects/create-effects.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { takeTicksBack } from "../effects/take-ticks-back.ts";
import type { WholePorts } from "../effects/with-memory.ts";
import type { Denial, EffectInput } from "../model/effect.ts";
import { EnvironmentError, InputError } from "../model/errors.ts";
import { exitCodes, type RunEnded, type RunEnding, type RunEvent } from "../model/event.ts";
import { spentOn } from "../model/ledger.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task-id.ts";
import { explainDenial } from "../recover/explain-denial.ts";
import { type Performed, performer } from "./performer.ts";
import { currentTurn, replayTurn, turnOf } from "./replay.ts";
import { pending, report } from "./step.ts";

/** What a run needs besides its ports. */
export interface RunSetup {
  readonly ports: WholePorts;
  readonly memory: RunMemory;
  readonly policy: Policy;
  /** The records of the run so far. */
  readonly records: readonly TimedRunRecord[];
  /** Go on in the middle of the last turn, as after a crash; else a task is chosen afresh. */
  readonly midTurn: boolean;
  readonly onEvent: (event: RunEvent) => void;
  /** Called after every step that changed what the views show. */
  readonly refreshViews: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** How the loop ended, before it is told to anybody. */
export interface Ending {
  readonly ended: RunEnded;
  readonly denial: Denial | null;
  /** Whether the documents are as the run leaves them; else the next start is to take it for killed. */
  readonly settled: boolean;
}

type Stop = { readonly outcome: RunEnding; readonly error?: string; readonly hint?: string; readonly denial?: Denial };

/**
 * Drive the coordinator to its outcome: perform what it asks for, side by side where it asks for several things, record
 * each answer, step, show.
 */
export async function run(setup: RunSetup): Promise<Ending> {
  const { ports, memory, policy, records, midTurn, signal } = setup;
  const machine = createSpecMachine();
  const effects = createEffects(ports);
  const turns = turnOf(records);
  let state = midTurn
    ? replayTurn(machine, { policy, turn: Math.max(turns, 1) }, currentTurn(records))
    : replayTurn(machine, { policy, turn: turns + 1 }, []);
  for (const effect of pending(machine, state)) {
    if (effect.name === "wait" && isAhead(effect.input, ports.clock.now())) setup.onEvent(waitingEvent(effect.input));
  }
  const underway = performer(effects, signal);
  const begin = (): void => {
    if (!underway.stopped()) for (const effect of pending(machine, state)) underway.begin(effect);
  };
  let recording = true;
  const take = async ({ effect: { key }, answer }: Performed): Promise<void> => {
    recording = false;
    memory.recordAnswer(key, answer);
    recording = true;
    const step = report(machine, state, key, answer);
    state = step.state;
    for (const event of step.events) setup.onEvent(event);
    if (step.events.length > 0) await setup.refreshViews();
    begin();
  };
  let stop: Stop;
  try {
    begin();
    for (let done = await underway.next(); done !== null; done = await underway.next()) {
      try {
        // What comes behind an answer that could not be recorded is answered anew, too.
        if (recording) await take(done);
      } catch (error) {
        // Thrown by `next` when the others have ended.
        underway.stop(error);
      }
    }
    if (state.status === "active") signal.throwIfAborted();
    stop = stopOf(state.output as SpecOutcome);
  } catch (error) {
    stop = stopFor(error, signal);
  }
  return conclude(setup, stop);
}

/** Whether there is something left to wait for: a person is taken to have helped. */
const isAhead = ({ until }: EffectInput<"wait">, now: number): boolean => until !== null && until > now;

/** A wait that a start before has begun is told anew. */
const waitingEvent = ({ task, reason, until }: EffectInput<"wait">): RunEvent => ({
  type: "waiting",
  task,
  reason,
  until,
});

/**
 * What an error means for the run.
 *
 * @throws {unknown} Our own defects, and that another coordinator has the spec now.
 */
function stopFor(error: unknown, signal: AbortSignal): Stop {
  if (error instanceof EnvironmentError && error.code === "spec-taken-over") throw error;
  if (signal.aborted && isInterruption(error, signal)) {
    return { outcome: "interrupted", hint: "Run the same command again to go on" };
  }
  if (error instanceof EnvironmentError) return refusedBy(error);
  if (error instanceof InputError) {
    return { outcome: "gate", error: error.message, hint: error.hint ?? "Look at tasks.md, then run again" };
  }
  throw error;
}

const refusedBy = ({ message, hint }: EnvironmentError) =>
  ({ outcome: "environment", error: message, hint: hint ?? "Mend it, then run again to go on" }) as const;

/** The end of a run that could not even be shown. */
export const endedBy = (error: EnvironmentError, ended: RunEnded): RunEnded => ({
  ...ended,
  exitCode: exitCodes.environment,
  ...refusedBy(error),
});

/** An executor that was stopped may say so in any words. */
const isInterruption = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || (error instanceof EnvironmentError && error.code === "executor-failed");

function stopOf(outcome: SpecOutcome): Stop {
  switch (outcome.kind) {
    case "complete":
      return { outcome: "complete" };
    case "cancelled":
      return { outcome: "cancelled", hint: "Run again to go on" };
    case "gate":
      return { outcome: "gate", error: outcome.reason, hint: outcome.hint };
    case "limit": {
      const { denial, lastError, spent } = outcome;
      return { outcome: "limit", denial, ...explainDenial(denial, spent, lastError) };
    }
  }
}

async function conclude({ ports, memory, signal }: RunSetup, reached: Stop): Promise<Ending> {
  const { tasks } = (await ports.plan.known()).plan;
  const { iterations, costUsd, elapsedMs, tasks: spent } = memory.ledger;
  let stop = reached;
  let settled = true;
  try {
    // Ticks that stand in the plan when it goes on are the work of people.
    await takeTicksBack(ports);
    if (reached.denial !== undefined) await logExhausted(reached.denial);
  } catch (error) {
    settled = false;
    const failed = stopFor(error, signal);
    if (reached.outcome !== "environment") stop = failed;
  }
  const ended: RunEnded = {
    type: "run.ended",
    outcome: stop.outcome,
    exitCode: exitCodes[stop.outcome],
    original: tasks.filter(({ fixOf }) => fixOf === null).length,
    fixes: tasks.filter(({ fixOf }) => fixOf !== null).length,
    attempts: iterations,
    skipped: [],
    tickedByHand: tasks.filter(({ id, done }) => done && !memory.accepted.has(id)).length,
    durationMs: Math.round(elapsedMs),
    ...(costUsd > 0 && { costUsd }),
    ...(stop.error !== undefined && { error: stop.error }),
    ...(stop.hint !== undefined && { hint: stop.hint }),
  };
  return { ended, denial: stop.denial ?? null, settled };

  /** The chain of fixes of a task that could not be finished, into the progress log. */
  async function logExhausted({ task }: Denial): Promise<void> {
    const repaired = (fix: TaskId): TaskId | undefined =>
      Object.keys(spent).find((id) => spentOn(spent, id).fixes.includes(fix));
    for (let id: TaskId | undefined = task; id !== undefined; id = repaired(id)) {
      const { fixes } = spentOn(spent, id);
      if (fixes.length > 0) await ports.documents.append({ kind: "fixes", task: id, fixes, final: "FAIL (max limit)" });
    }
  }
}
