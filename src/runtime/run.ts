import type { SpecOutcome } from "../../machines/spec-outcome.ts";
import { createActs } from "../effects/create-effects.ts";
import { addressIn } from "../effects/spec-paths.ts";
import type { Answer, EffectInput, EffectName } from "../model/effect.ts";
import type { RunEvent } from "../model/event.ts";
import type { PersonEvent } from "../model/person-event.ts";
import { type Speaker, spokenBy } from "../model/speaker.ts";
import type { SpecContext } from "../model/spec-context.ts";
import type { TaskContext } from "../model/task-context.ts";
import type { TaskId } from "../model/task-id.ts";
import { conclude, type Ending } from "./conclude.ts";
import { type Performed, performer } from "./performer.ts";
import { currentTurn, replayTurn } from "./replay.ts";
import { createRunControl, type Word } from "./run-control.ts";
import type { RunSetup } from "./run-setup.ts";
import { specMachine } from "./spec-machine.ts";
import { pending, report, type Step, send } from "./step.ts";
import type { StepState } from "./step-state.ts";
import { type Stop, stopFor, stopOf } from "./stop.ts";

/**
 * Drive the coordinator to its outcome: perform what it asks for, side by side where it asks for several things, record
 * each answer, step, show.
 */
export async function run(setup: RunSetup): Promise<Ending> {
  const { ports, memory, policy, records, midTurn, signal } = setup;
  const machine = specMachine();
  const effects = createActs(ports);
  const { turns } = memory.state;
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
  const take = async ({ effect: { name, key }, answer: given, facts }: Performed, by?: Speaker): Promise<void> => {
    recording = false;
    const answer = name === "chooseTask" ? (advise(given) as never) : given;
    memory.answer(key, answer, facts, { at: ports.clock.now(), by });
    recording = true;
    await follow(report(machine, state, key, answer));
  };
  /** Advice that nobody was at work to hear. */
  let advice: { readonly text: string; readonly by: Speaker | undefined } | null = null;
  const advise = (chosen: Answer<"chooseTask">): Answer<"chooseTask"> => {
    if (advice === null || (chosen.kind !== "task" && chosen.kind !== "batch")) return chosen;
    const { text: guidance, by } = advice;
    advice = null;
    for (const { root } of chosen.kind === "task" ? [chosen] : chosen.members) {
      memory.note({ type: "guided", task: root, text: guidance, ...spokenBy(by) });
    }
    if (chosen.kind === "task") return { ...chosen, guidance };
    return { ...chosen, members: chosen.members.map((member) => ({ ...member, guidance })) };
  };
  const hear = async ({ event, by }: Word): Promise<void> => {
    if (state.status !== "active") return;
    const waiting = pending(machine, state);
    const question = waiting.find(({ name }) => name === "askPerson");
    const answer = question === undefined ? null : answerIn(event);
    if (question !== undefined && answer !== null) {
      underway.drop(question.key);
      return take({ effect: question, answer: answer as never }, by);
    }
    if (event.type === "guidance.given") {
      const roots = rootsAtWork(state);
      if (roots.size === 0) {
        advice = { text: event.text, by };
        return;
      }
      for (const root of roots) memory.note({ type: "guided", task: root, text: event.text, ...spokenBy(by) });
    }
    memory.note({ type: "said", event, ...spokenBy(by) });
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
    if (isPaused(state)) await hear({ event: { type: "resume" }, ...spokenBy(setup.speaker) });
    begin();
    for (;;) {
      try {
        // What comes behind an answer that could not be recorded is answered anew, too.
        for (const word of underway.stopped() ? [] : heard.take()) if (recording) await hear(word);
        if (await isSpoken()) continue;
        const done = await underway.next();
        if (done === null) break;
        if (recording) await take(done, isAnswered(done) ? setup.speaker : undefined);
      } catch (error) {
        if (underway.idle()) throw error;
        // Thrown by `next` when the others have ended.
        underway.stop(error);
      }
    }
    if (state.status === "active") signal.throwIfAborted();
    stop = stopOf(state.output as SpecOutcome, { address: addressIn(ports), used: memory.ledger });
  } catch (error) {
    stop = stopFor(error, signal, addressIn(ports));
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

/** Whether a person has answered, and the run need not stop with the question. */
const isAnswered = ({ effect, answer }: Performed): boolean =>
  effect.name === "askPerson" && (answer as Answer<"askPerson">).kind !== "gate";

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
const waitingEvent = ({ task, reason, until, error }: EffectInput<"wait">): RunEvent => ({
  type: "waiting",
  task,
  reason,
  until,
  error,
});
