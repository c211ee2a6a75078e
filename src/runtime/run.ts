import { createActs } from "../effects/create-effects.ts";
import { addressIn } from "../effects/spec-paths.ts";
import type { Answer, Effect, EffectName } from "../model/effect.ts";
import { conclude, type Ending } from "./conclude.ts";
import { inspectRun } from "./inspect-run.ts";
import { type Performed, performer, waitForNobody } from "./performer.ts";
import { currentTurn, replayTurn } from "./replay.ts";
import { createRunControl } from "./run-control.ts";
import type { RunSetup } from "./run-setup.ts";
import {
  hear,
  isPaused,
  type Move,
  openSession,
  outcomeOf,
  performable,
  type Session,
  takeAnswer,
  takeChecked,
} from "./session.ts";
import { type Stop, stopFor, stopOf } from "./stop.ts";

/**
 * Drive the coordinator to its outcome: perform what its session asks for, side by side where it asks for several
 * things, record what comes of it, show.
 */
export async function run(setup: RunSetup): Promise<Ending> {
  const { ports, memory, policy, records, midTurn, signal } = setup;
  const { turns } = memory.state;
  const input = { policy, turn: midTurn ? Math.max(turns, 1) : turns + 1 };
  let charts = replayTurn(input, midTurn ? currentTurn(records) : []);
  const inspection = setup.inspect && inspectRun(setup.inspect, charts, input);
  const session = (): Session => ({ charts, run: memory.state });
  const underway = performer(createActs(ports, { flushesLater: true }), signal);
  let recording = true;
  /** @param done What was performed, where its answer is what the move records. */
  const follow = async (move: Move, done?: Performed, onHeard = () => {}): Promise<void> => {
    const next = underway.stopped() ? [] : performable(move.charts).filter(({ key }) => !underway.has(key));
    const hold = done !== undefined && mayBeHeld(done.effect, next);
    recording = false;
    // Told once it is appended: if this start is killed before, the next one tells it.
    const onAppended = (): void => {
      onHeard();
      for (const event of move.events) setup.onEvent(event);
    };
    memory.record(move.records, { facts: done?.facts, at: ports.clock.now(), hold, onAppended });
    recording = true;
    inspection?.follow(move.records);
    for (const key of move.drop) underway.drop(key);
    charts = move.charts;
    if (move.events.length > 0) await setup.refreshViews();
    if (!underway.stopped()) for (const effect of next) underway.begin(effect);
  };
  const { heard = createRunControl() } = setup;
  let stop: Stop;
  try {
    await follow(openSession(charts, { now: ports.clock.now(), speaker: setup.speaker }));
    for (;;) {
      try {
        // What comes behind an answer that could not be recorded is answered anew, too.
        for (const word of underway.stopped() ? [] : heard.take()) {
          if (recording) await follow(hear(session(), word), undefined, word.onHeard);
        }
        if (await isSpoken()) continue;
        const done = await underway.next();
        if (done === null) break;
        const by = isAnswered(done) ? setup.speaker : undefined;
        const take = ownAnswers.has(done.effect.name) ? takeChecked : takeAnswer;
        if (recording) await follow(take(session(), done.effect, done.answer, by), done);
      } catch (error) {
        if (underway.idle()) throw error;
        // Thrown by `next` when the others have ended.
        underway.stop(error);
      }
    }
    const outcome = outcomeOf(charts);
    if (outcome === null) signal.throwIfAborted();
    stop = stopOf(outcome as NonNullable<typeof outcome>, { address: addressIn(ports), used: memory.ledger });
  } catch (error) {
    stop = stopFor(error, signal, addressIn(ports));
  }
  return conclude(setup, stop);

  /** Whether somebody says something before the next answer is there. While it is paused nothing else may come. */
  async function isSpoken(): Promise<boolean> {
    if (underway.stopped() || charts.status !== "active") return false;
    const spoken = heard.next().then(() => true);
    if (!underway.idle()) return Promise.race([spoken, underway.ready().then(() => false)]);
    if (!isPaused(charts)) return false;
    const stopped = aborted(signal);
    try {
      return await Promise.race([spoken, stopped.promise.then(() => false)]);
    } finally {
      stopped.forget();
    }
  }
}

/**
 * Whether an answer may be held back and appended together with the delegation that follows. If the start is killed
 * before, the next one chooses again. A verdict is not held back: after a kill its tick would count as the executor's.
 * Nor is a pass: whoever is told of it may pause the run.
 */
const mayBeHeld = ({ name }: Effect, next: readonly Effect[]): boolean =>
  name === "chooseTask" && next.length > 0 && next.every((effect) => effect.name === "delegate");

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
