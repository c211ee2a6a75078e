import { createSpecMachine, type SpecOutcome } from "../../machines/spec.ts";
import { createEffects, type Effects } from "../effects/create-effects.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { takeTicksBack } from "../effects/take-ticks-back.ts";
import type { WholePorts } from "../effects/with-memory.ts";
import type { Denial, Effect } from "../model/effect.ts";
import { EnvironmentError, InputError } from "../model/errors.ts";
import { exitCodes, type RunEnded, type RunEnding, type RunEvent } from "../model/event.ts";
import { spentOn } from "../model/ledger.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task-id.ts";
import { explainDenial } from "../recover/explain-denial.ts";
import { currentTurn, replayTurn, turnOf } from "./replay.ts";
import { pending, report } from "./step.ts";
import type { StepState } from "./step-state.ts";

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
  readonly elapsedMs: () => number;
  readonly signal: AbortSignal;
}

/** How the loop ended, before it is told to anybody. */
export interface Ending {
  readonly ended: RunEnded;
  readonly denial: Denial | null;
}

type Stop = { readonly outcome: RunEnding; readonly error?: string; readonly hint?: string; readonly denial?: Denial };

/** Drive the coordinator to its outcome: perform what it asks for, record the answer, step, show. */
export async function run(setup: RunSetup): Promise<Ending> {
  const { ports, memory, policy, records, midTurn, signal } = setup;
  const machine = createSpecMachine();
  const effects = createEffects(ports);
  const turns = turnOf(records);
  let state = midTurn
    ? replayTurn(machine, { policy, turn: Math.max(turns, 1) }, currentTurn(records))
    : replayTurn(machine, { policy, turn: turns + 1 }, []);
  try {
    for (let effect = next(state); effect !== undefined; effect = next(state)) {
      signal.throwIfAborted();
      const answer = await perform(effects, effect, signal);
      memory.recordAnswer(effect.key, answer);
      const step = report(machine, state, effect.key, answer);
      state = step.state;
      for (const event of step.events) setup.onEvent(event);
      if (step.events.length > 0) await setup.refreshViews();
    }
    return await conclude(setup, stopOf(state.output as SpecOutcome));
  } catch (error) {
    return await conclude(setup, stopFor(error, signal));
  }

  function next(at: StepState): Effect | undefined {
    return pending(machine, at)[0];
  }
}

const perform = (effects: Effects, effect: Effect, signal: AbortSignal): Promise<never> =>
  (effects[effect.name] as (input: unknown, signal: AbortSignal) => Promise<never>)(effect.input, signal);

/** What an error means for the run; our own defects are thrown on. */
function stopFor(error: unknown, signal: AbortSignal): Stop {
  if (error instanceof EnvironmentError && error.code === "spec-taken-over") throw error;
  if (signal.aborted && isInterruption(error, signal)) {
    return { outcome: "interrupted", hint: "Run the same command again to go on" };
  }
  if (error instanceof EnvironmentError) {
    return { outcome: "environment", error: error.message, hint: error.hint ?? "Mend it, then run again to go on" };
  }
  if (error instanceof InputError) {
    return { outcome: "gate", error: error.message, hint: error.hint ?? "Look at tasks.md, then run again" };
  }
  throw error;
}

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

async function conclude({ ports, memory, elapsedMs }: RunSetup, stop: Stop): Promise<Ending> {
  // Ticks that stand in the plan when it goes on are the work of people.
  await takeTicksBack(ports);
  const { tasks } = (await ports.plan.known()).plan;
  const { iterations, costUsd, tasks: spent } = memory.ledger;
  if (stop.denial !== undefined) await logExhausted(stop.denial);
  const ended: RunEnded = {
    type: "run.ended",
    outcome: stop.outcome,
    exitCode: exitCodes[stop.outcome],
    original: tasks.filter(({ fixOf }) => fixOf === null).length,
    fixes: tasks.filter(({ fixOf }) => fixOf !== null).length,
    attempts: iterations,
    skipped: [],
    tickedByHand: tasks.filter(({ id, done }) => done && !memory.accepted.has(id)).length,
    durationMs: Math.round(elapsedMs()),
    ...(costUsd > 0 && { costUsd }),
    ...(stop.error !== undefined && { error: stop.error }),
    ...(stop.hint !== undefined && { hint: stop.hint }),
  };
  return { ended, denial: stop.denial ?? null };

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
