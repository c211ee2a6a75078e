import { createSpecMachine, type SpecOutcome } from "../../machines/spec.ts";
import { createEffects } from "../effects/create-effects.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { specName } from "../effects/spec-paths.ts";
import { takeTicksBack } from "../effects/take-ticks-back.ts";
import type { WholePorts } from "../effects/with-memory.ts";
import type { Answer, Denial, EffectInput, EffectName } from "../model/effect.ts";
import { EnvironmentError, InputError } from "../model/errors.ts";
import { exitCodes, type RunEnded, type RunEnding, type RunEvent } from "../model/event.ts";
import { spentOn } from "../model/ledger.ts";
import { leftOut } from "../model/left-out.ts";
import type { PersonEvent } from "../model/person-event.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { SpecContext } from "../model/spec-context.ts";
import type { TaskContext } from "../model/task-context.ts";
import type { TaskId } from "../model/task-id.ts";
import { explainDenial } from "../recover/explain-denial.ts";
import { type Performed, performer } from "./performer.ts";
import { currentTurn, replayTurn, turnOf } from "./replay.ts";
import { createRunControl, type Heard } from "./run-control.ts";
import { pending, report, type Step, send } from "./step.ts";
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
  /** What people say while it is under way; nobody can when not given. */
  readonly heard?: Heard;
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
    if (underway.stopped()) return;
    const held = isPaused(state) ? delegations : noneHeld;
    for (const effect of pending(machine, state)) if (!held.has(effect.name)) underway.begin(effect);
  };
  let recording = true;
  const follow = async (step: Step): Promise<void> => {
    state = step.state;
    for (const event of step.events) setup.onEvent(event);
    if (step.events.length > 0) await setup.refreshViews();
    begin();
  };
  const take = async ({ effect: { name, key }, answer: given }: Performed): Promise<void> => {
    recording = false;
    const answer = name === "chooseTask" ? (advise(given) as never) : given;
    memory.recordAnswer(key, answer);
    recording = true;
    await follow(report(machine, state, key, answer));
  };
  /** Advice that nobody was at work to hear. */
  let advice: string | null = null;
  const advise = (chosen: Answer<"chooseTask">): Answer<"chooseTask"> => {
    if (advice === null || (chosen.kind !== "task" && chosen.kind !== "batch")) return chosen;
    const guidance = advice;
    advice = null;
    for (const { root } of chosen.kind === "task" ? [chosen] : chosen.members) {
      memory.note({ type: "guided", task: root, text: guidance });
    }
    if (chosen.kind === "task") return { ...chosen, guidance };
    return { ...chosen, members: chosen.members.map((member) => ({ ...member, guidance })) };
  };
  const hear = async (event: PersonEvent): Promise<void> => {
    if (state.status !== "active") return;
    const waiting = pending(machine, state);
    const question = waiting.find(({ name }) => name === "askPerson");
    const answer = question === undefined ? null : answerIn(event);
    if (question !== undefined && answer !== null) {
      underway.drop(question.key);
      return take({ effect: question, answer: answer as never });
    }
    if (event.type === "guidance.given") {
      const roots = rootsAtWork(state);
      if (roots.size === 0) {
        advice = event.text;
        return;
      }
      for (const root of roots) memory.note({ type: "guided", task: root, text: event.text });
    }
    memory.note({ type: "said", event });
    await follow(send(machine, state, event));
    const wanted = new Set(pending(machine, state).map(({ key }) => key));
    for (const { name, key } of waiting) if (!wanted.has(key) && !isFinished.has(name)) underway.drop(key);
    if (event.type === "pause") setup.onEvent({ type: "run.paused" });
    if (event.type === "resume") setup.onEvent({ type: "run.resumed" });
  };
  const { heard = createRunControl() } = setup;
  let stop: Stop;
  try {
    // Whoever starts it again lets it go on.
    if (isPaused(state)) await hear({ type: "resume" });
    begin();
    for (;;) {
      try {
        // What comes behind an answer that could not be recorded is answered anew, too.
        for (const event of underway.stopped() ? [] : heard.take()) if (recording) await hear(event);
        if (await isSpoken()) continue;
        const done = await underway.next();
        if (done === null) break;
        if (recording) await take(done);
      } catch (error) {
        if (underway.idle()) throw error;
        // Thrown by `next` when the others have ended.
        underway.stop(error);
      }
    }
    if (state.status === "active") signal.throwIfAborted();
    stop = stopOf(state.output as SpecOutcome, specName(ports.spec ?? ""));
  } catch (error) {
    stop = stopFor(error, signal);
  }
  return conclude(setup, stop);

  /** Whether somebody says something before the next answer is there. While it is paused nothing else may come. */
  async function isSpoken(): Promise<boolean> {
    if (underway.stopped() || state.status !== "active") return false;
    const spoken = heard.next().then(() => true);
    if (!underway.idle()) return Promise.race([spoken, underway.ready().then(() => false)]);
    if (!isPaused(state)) return false;
    const stopped = aborted(signal);
    try {
      return await Promise.race([spoken, stopped.promise.then(() => false)]);
    } finally {
      stopped.forget();
    }
  }
}

/** What a person says, as the answer to a question that waits for one; null when it is none. */
function answerIn(event: PersonEvent): Answer<"askPerson"> | null {
  if (event.type === "decision.made") return { kind: "decided", decision: event.decision };
  return event.type === "guidance.given" ? { kind: "guided", text: event.text } : null;
}

/** Effects that are brought to their end also when nobody waits for them any more: what they write is to be known. */
const isFinished: ReadonlySet<EffectName> = new Set(["recordPass", "recordSkip"]);

/** Planned tasks that machines are at work on. */
const rootsAtWork = ({ nodes }: StepState): ReadonlySet<TaskId> =>
  new Set(
    Object.values(nodes)
      .map(({ context }) => (context as Partial<TaskContext>).root)
      .filter((root) => root !== undefined),
  );

/** What does not begin while the run is paused. */
const delegations: ReadonlySet<EffectName> = new Set(["delegate", "review", "askOperator"]);
const noneHeld: ReadonlySet<EffectName> = new Set();

const isPaused = ({ nodes }: StepState): boolean => (nodes[""]?.context as SpecContext | undefined)?.paused === true;

function aborted(signal: AbortSignal): { readonly promise: Promise<void>; readonly forget: () => void } {
  let settle = (): void => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  if (signal.aborted) settle();
  signal.addEventListener("abort", settle, { once: true });
  return { promise, forget: () => signal.removeEventListener("abort", settle) };
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

/** @param spec Its name. */
function stopOf(outcome: SpecOutcome, spec: string): Stop {
  switch (outcome.kind) {
    case "complete":
      return { outcome: "complete" };
    case "cancelled":
      return { outcome: "cancelled", hint: "Run again to go on" };
    case "gate":
    case "checkpoint":
      return { outcome: outcome.kind, error: outcome.reason, hint: outcome.hint };
    case "skipped":
      return {
        outcome: "skipped",
        hint: `Do what was left out and tick it, or try it again: fixpoint resume ${spec} --decision retry`,
      };
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
    skipped: [...leftOut({ tasks }, memory.skipped().keys())].filter((id) => memory.skipped().has(id)),
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
