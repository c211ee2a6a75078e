import { createActs } from "../effects/create-effects.ts";
import { handsOut } from "../effects/executor-chain.ts";
import { addressIn } from "../effects/spec-paths.ts";
import type { Answer, Effect, EffectName } from "../model/effect.ts";
import { conclude, type Ending, factsForStop } from "./conclude.ts";
import { type Performed, performer, waitForNobody } from "./performer.ts";
import { createRunControl } from "./run-control.ts";
import type { RunSetup } from "./run-setup.ts";
import { openSession } from "./session.ts";
import { type Stop, stopFor, stopOf, waiting } from "./stop.ts";

/**
 * Drive the coordinator to its outcome: perform the requested effects, in parallel if possible, record their answers,
 * and update the views.
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
    // Called after the append. If this start is killed before the call, the next start reports the event.
    onEvent: (event) => {
      isShown = false;
      setup.onEvent(event);
    },
  });
  const goOn = async (): Promise<void> => {
    for (const effect of underway.effects()) {
      if (!session.waits(effect) && !isFinished.has(effect.name)) underway.drop(effect.key);
    }
    const next = underway.stopped() ? [] : session.performable().filter(({ key }) => !underway.has(key));
    // If tasks are handed out, a start does not wait until a due time: a later start continues.
    for (const effect of next) if (isOutside && isLater(effect, ports.clock.now())) underway.park(effect.key);
    // Append a choice only with its delegation: if this start is killed in between, the next start chooses again.
    if (next.length === 0 || next.some(({ name }) => name !== "delegate")) memory.appendHeld();
    if (!isShown) {
      isShown = true;
      await setup.refreshViews();
    }
    if (!underway.stopped()) for (const effect of next) if (!underway.has(effect.key)) underway.begin(effect);
  };
  const { heard = createRunControl(), speaker } = setup;
  const by = speaker === undefined ? {} : { by: speaker };
  /** Receive messages; false if there are none. */
  const hear = (): boolean => {
    // Take no messages while the run stops: after a failed append, nothing more is recorded.
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
      // Report again a wait that an earlier start began.
      setup.onEvent({ type: "waiting", task, reason, until, error });
      isShown = false;
    }
    // Starting a paused run again resumes it.
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
        // A pause caused by the answer takes effect before anything begins.
        hear();
        await goOn();
      } catch (error) {
        if (underway.idle()) throw error;
        // `next` throws this error after the other effects have ended.
        underway.stop(error);
      }
    }
    const outcome = session.outcome();
    if (outcome === null) signal.throwIfAborted();
    const address = addressIn(ports);
    stop =
      outcome === null
        ? waiting(address)
        : stopOf(outcome, { memory, policy, address, ...(await factsForStop(ports)) });
  } catch (error) {
    stop = stopFor(error, signal, addressIn(ports));
  }
  return conclude(setup, stop);

  /** Wait for a message or the next answer; return whether it is a message. In a paused run only a message may come. */
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

/** Effects that finish even if no one waits for them, since the result of their writes must be known. */
const isFinished: ReadonlySet<EffectName> = new Set(["recordPass", "recordSkip"]);

const isLater = ({ name, input }: Effect, now: number): boolean =>
  (name === "wait" || name === "awaitTime") && (input.until ?? now) > now;

/** Effects whose answers fixpoint makes itself, from values checked on arrival. */
const ownAnswers: ReadonlySet<EffectName> = new Set(["delegate", "verify", ...waitForNobody]);

/** Whether a person has answered, so that the run need not stop with the question. */
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
