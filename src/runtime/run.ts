import { createActs } from "../effects/create-effects.ts";
import { handsOut } from "../effects/executor-chain.ts";
import { addressIn } from "../effects/spec-paths.ts";
import type { Answer, Effect, EffectName } from "../model/effect.ts";
import { conclude, type Ending } from "./conclude.ts";
import { type Performed, performer, waitForNobody } from "./performer.ts";
import { createRunControl } from "./run-control.ts";
import type { RunSetup } from "./run-setup.ts";
import { openSession } from "./session.ts";
import { type Stop, stopFor, stopOf, waiting } from "./stop.ts";

/**
 * Drive the coordinator to its outcome: perform what its charts ask for, side by side where they ask for several things,
 * record what comes of it, show.
 */
export async function run(setup: RunSetup): Promise<Ending> {
  const { ports, memory, policy, records, midTurn, signal } = setup;
  const { state } = memory;
  const underway = performer(createActs(ports, { flushesLater: true }), signal);
  const isOutside = handsOut(ports.executors);
  let isShown = true;
  let recording = true;
  const session = openSession({
    ...{ policy, state, inspect: setup.inspect },
    records: midTurn ? records : [],
    mayHold: true,
    record: (made, more) => {
      recording = false;
      memory.record(made, { ...more, at: more?.at ?? ports.clock.now() });
      recording = true;
    },
    // Told once it is appended: if this start is killed before, the next one tells it.
    onEvent: (event) => {
      isShown = false;
      setup.onEvent(event);
    },
  });
  /** End what nobody waits for any more, show what has happened, and begin what is asked for. */
  const goOn = async (): Promise<void> => {
    for (const effect of underway.effects()) {
      if (!session.waits(effect) && !isFinished.has(effect.name)) underway.drop(effect.key);
    }
    const next = underway.stopped() ? [] : session.performable().filter(({ key }) => !underway.has(key));
    // What is handed out lets nobody wait here.
    for (const effect of next) if (isOutside && isLater(effect, ports.clock.now())) underway.park(effect.key);
    // A choice is appended together with the delegation that follows: if the start is killed before, the next chooses again.
    if (next.length === 0 || next.some(({ name }) => name !== "delegate")) memory.appendHeld();
    if (!isShown) {
      isShown = true;
      await setup.refreshViews();
    }
    if (!underway.stopped()) for (const effect of next) if (!underway.has(effect.key)) underway.begin(effect);
  };
  const { heard = createRunControl(), speaker } = setup;
  const by = speaker === undefined ? {} : { by: speaker };
  /** Take in what was said; false where nothing was. */
  const hear = (): boolean => {
    // What comes behind an answer that could not be recorded is answered anew, too.
    const words = underway.stopped() ? [] : heard.take();
    for (const word of words) if (recording) session.hear(word);
    return words.length > 0;
  };
  let stop: Stop;
  try {
    for (const effect of session.performable()) {
      const { name, input } = effect;
      if (name !== "wait" || input.until === null || input.until <= ports.clock.now()) continue;
      const { task, reason, until, error } = input;
      // A wait that a start before has begun is told anew.
      setup.onEvent({ type: "waiting", task, reason, until, error });
      isShown = false;
    }
    // Whoever starts it again lets it go on.
    if (state.paused) session.hear({ event: { type: "resume" }, ...by });
    await goOn();
    for (;;) {
      try {
        if (hear()) await goOn();
        if (await isSpoken()) continue;
        const done = await underway.next();
        if (done === null) break;
        if (!recording) continue;
        session.take(done.effect, done.answer, {
          ...(isAnswered(done) && by),
          facts: done.facts,
          isChecked: ownAnswers.has(done.effect.name),
        });
        underway.unpark();
        // A pause that the answer has led to counts before anything begins.
        hear();
        await goOn();
      } catch (error) {
        if (underway.idle()) throw error;
        // Thrown by `next` when the others have ended.
        underway.stop(error);
      }
    }
    const outcome = session.outcome();
    if (outcome === null) signal.throwIfAborted();
    const address = addressIn(ports);
    stop = outcome === null ? waiting(address) : stopOf(outcome, { memory, policy, address });
  } catch (error) {
    stop = stopFor(error, signal, addressIn(ports));
  }
  return conclude(setup, stop);

  /** Whether somebody says something before the next answer is there. While it is paused nothing else may come. */
  async function isSpoken(): Promise<boolean> {
    if (underway.stopped() || session.outcome() !== null) return false;
    const spoken = heard.next().then(() => true);
    if (!underway.idle()) return Promise.race([spoken, underway.ready().then(() => false)]);
    if (!state.paused || isOutside) return false;
    const end = setup.endsPaused?.() ?? null;
    if (end !== null) throw end;
    const stopped = aborted(signal);
    const endPause = memory.pause();
    try {
      return await Promise.race([spoken, stopped.promise.then(() => false)]);
    } finally {
      endPause();
      stopped.forget();
    }
  }
}

/** Effects that are brought to their end also when nobody waits for them any more: what they write is to be known. */
const isFinished: ReadonlySet<EffectName> = new Set(["recordPass", "recordSkip"]);

/** Whether an effect would only wait for a time. */
const isLater = ({ name, input }: Effect, now: number): boolean =>
  (name === "wait" || name === "awaitTime") && (input.until ?? now) > now;

/** Effects whose answers fixpoint makes itself, from values that were checked when they arrived. */
const ownAnswers: ReadonlySet<EffectName> = new Set(["delegate", "verify", ...waitForNobody]);

/** Whether a person has answered, and the run need not stop with the question. */
const isAnswered = ({ effect, answer }: Performed): boolean =>
  effect.name === "askPerson" && (answer as Answer<"askPerson">).kind !== "gate";

function aborted(signal: AbortSignal): { readonly promise: Promise<void>; readonly forget: () => void } {
  let settle = (): void => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  if (signal.aborted) settle();
  signal.addEventListener("abort", settle, { once: true });
  return { promise, forget: () => signal.removeEventListener("abort", settle) };
}
