import type { Effects } from "../effects/create-effects.ts";
import type { Effect } from "../model/effect.ts";

/** An effect that was performed. */
export interface Performed {
  readonly effect: Effect;
  readonly answer: never;
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
  /** End all that is under way, as when an effect fails; the first error counts. */
  stop(error: unknown): void;
  /** Whether nothing new is to be begun. */
  stopped(): boolean;
}

type Outcome = Performed | { readonly effect: Effect; readonly error: unknown };

/** @param signal Stops everything that is under way. */
export function performer(effects: Effects, signal: AbortSignal): Performer {
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const underway = new Map<string, Promise<Outcome>>();
  let failure: { readonly error: unknown } | null = null;
  const stop = (error: unknown): void => {
    failure ??= { error };
    failing.abort(failure.error);
  };
  return {
    begin: (effect) => {
      if (!underway.has(effect.key)) underway.set(effect.key, perform(effects, effect, either));
    },
    next: async () => {
      for (;;) {
        if (underway.size === 0) {
          if (failure !== null) throw failure.error;
          return null;
        }
        const outcome = await Promise.race(underway.values());
        underway.delete(outcome.effect.key);
        if (!("error" in outcome)) return outcome;
        stop(outcome.error);
      }
    },
    stop,
    stopped: () => either.aborted,
  };
}

async function perform(effects: Effects, effect: Effect, signal: AbortSignal): Promise<Outcome> {
  try {
    const act = effects[effect.name] as (input: unknown, signal: AbortSignal) => Promise<never>;
    return { effect, answer: await act(effect.input, signal) };
  } catch (error) {
    return { effect, error };
  }
}
