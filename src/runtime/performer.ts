import { type Acts, waitingEffects } from "../effects/create-effects.ts";
import type { Effect } from "../model/effect.ts";
import type { AttemptFacts } from "../ports/attempt-record.ts";

/** An effect that was performed. */
export interface Performed {
  readonly effect: Effect;
  readonly answer: never;
  /** What it has found out beside that. */
  readonly facts?: AttemptFacts | undefined;
}

/** Performs effects side by side. */
export interface Performer {
  /** Begin with an effect, unless it is under way already. */
  begin(effect: Effect): void;
  /**
   * The next answer; null when nothing is under way any more. What fails ends the others, too, and is thrown when all
   * have ended: the answers of those that ended by themselves are given first.
   */
  next(): Promise<Performed | null>;
  has(key: string): boolean;
  /** Whether nothing is under way. */
  idle(): boolean;
  /** Resolves when `next` has something to say. */
  ready(): Promise<void>;
  /** End an effect that nobody waits for any more: what it answers counts for nothing. */
  drop(key: string): void;
  /** End all that is under way, as when an effect fails; the first error counts. */
  stop(error: unknown): void;
  /** Whether nothing new is to be begun. */
  stopped(): boolean;
}

type Outcome = Performed | { readonly effect: Effect; readonly error: unknown };

interface Underway {
  /** Resolves when it has ended. */
  readonly end: Promise<void>;
  /** Ends it. */
  readonly abort: (reason?: unknown) => void;
  /** Let go of the signal that stops all. */
  readonly forget: () => void;
}

const nothing = (): void => {};

/** @param signal Stops everything that is under way. */
export function performer(effects: Acts, signal: AbortSignal): Performer {
  const underway = new Map<string, Underway>();
  /** Those that have ended, in the order in which they did. */
  const ended: Outcome[] = [];
  /** Of the one who asked last: who has stopped waiting is forgotten. */
  let wake = nothing;
  const dropped = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | null = null;
  const stop = (error: unknown): void => {
    failure ??= { error };
    for (const { abort } of underway.values()) abort(failure.error);
  };
  const leave = (key: string): void => {
    underway.get(key)?.forget();
    underway.delete(key);
  };
  const ready = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      if (ended.length > 0) resolve();
    });
  /** Begin with an effect that a signal of its own ends. */
  const beginWaiting = (
    effect: Effect,
  ): Pick<Underway, "abort" | "forget"> & { readonly outcome: Promise<Outcome> } => {
    const own = new AbortController();
    // `AbortSignal.any` costs more, and Node keeps what it gives for as long as somebody listens.
    const interrupt = (): void => own.abort(signal.reason);
    signal.addEventListener("abort", interrupt);
    if (signal.aborted) interrupt();
    else if (failure !== null) own.abort(failure.error);
    return {
      outcome: perform(effects, effect, own.signal),
      abort: (reason) => own.abort(reason),
      forget: () => signal.removeEventListener("abort", interrupt),
    };
  };
  return {
    begin: (effect) => {
      if (underway.has(effect.key)) return;
      const { outcome, abort, forget } = waitingEffects.has(effect.name)
        ? beginWaiting(effect)
        : { outcome: perform(effects, effect, signal), abort: nothing, forget: nothing };
      const begun: Underway = {
        end: outcome.then((each) => {
          if (underway.get(effect.key) !== begun) return;
          ended.push(each);
          wake();
        }),
        abort,
        forget,
      };
      underway.set(effect.key, begun);
    },
    has: (key) => underway.has(key),
    idle: () => underway.size === 0,
    ready,
    drop: (key) => {
      const unwanted = underway.get(key);
      if (unwanted === undefined) return;
      leave(key);
      unwanted.abort();
      dropped.add(unwanted.end);
      const told = ended.findIndex(({ effect }) => effect.key === key);
      if (told !== -1) ended.splice(told, 1);
    },
    next: async () => {
      for (;;) {
        if (underway.size === 0) {
          await Promise.all(dropped);
          if (failure !== null) throw failure.error;
          return null;
        }
        if (ended.length === 0) await ready();
        const outcome = ended.shift() as Outcome;
        leave(outcome.effect.key);
        if (!("error" in outcome)) return outcome;
        stop(outcome.error);
      }
    },
    stop,
    stopped: () => signal.aborted || failure !== null,
  };
}

async function perform(effects: Acts, effect: Effect, signal: AbortSignal): Promise<Outcome> {
  try {
    const act = effects[effect.name] as (input: unknown, signal: AbortSignal) => Promise<Omit<Performed, "effect">>;
    const { answer, facts } = await act(effect.input, signal);
    return { effect, answer, facts };
  } catch (error) {
    return { effect, error };
  }
}
