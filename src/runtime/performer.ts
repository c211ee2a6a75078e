import { type Acted, type Acts, performAct } from "../effects/create-effects.ts";
import type { Effect, EffectName } from "../model/effect.ts";
import { NotReported } from "../ports/executor.ts";

export interface Performed extends Acted {
  readonly effect: Effect;
}

export interface Performer {
  begin(effect: Effect): void;
  /**
   * The next answer; null if no effect is running. If an effect fails, all other effects are cancelled. The error is
   * thrown after the last effect has ended and all answers are returned.
   */
  next(): Promise<Performed | null>;
  has(key: string): boolean;
  /** Park an effect: it does not begin until `unpark`. */
  park(key: string): void;
  /** Whether any effect is parked, so that its answer may come only in a later start. */
  parked(): boolean;
  unpark(): void;
  effects(): readonly Effect[];
  idle(): boolean;
  ready(): Promise<unknown>;
  /** Cancel an effect that no one waits for; its answer is ignored. */
  drop(key: string): void;
  /** Cancel all running effects, for example when one fails; the first error counts. */
  stop(error: unknown): void;
  stopped(): boolean;
}

type Outcome = Performed | { readonly effect: Effect; readonly error: unknown };

interface Underway {
  readonly effect: Effect;
  readonly outcome: Promise<Outcome>;
  /** Cancels this effect alone; null for an effect in `waitForNobody`. */
  readonly own: AbortController | null;
  readonly forget: () => void;
}

/** Effects that wait for no process, time or person: they end once the documents are read or written. */
export const waitForNobody: ReadonlySet<EffectName> = new Set([
  ...(["chooseTask", "chooseCleanup", "changePlan", "readFailure", "insertFix", "recordPass", "recordSkip"] as const),
  ...(["gatherParts", "mergeProgress", "writeStuckReport"] as const),
]);

/** @param signal Cancels all running effects. */
export function performer(effects: Acts, signal: AbortSignal): Performer {
  const underway = new Map<string, Underway>();
  const dropped = new Set<Promise<Outcome>>();
  const resting = new Set<string>();
  let failure: { readonly error: unknown } | null = null;
  const stop = (error: unknown): void => {
    failure ??= { error };
    for (const { own } of underway.values()) own?.abort(failure.error);
  };
  const soonest = (): Promise<Outcome> => {
    const [first, ...others] = underway.values();
    return first !== undefined && others.length === 0
      ? first.outcome
      : Promise.race([...underway.values()].map(outcomeOf));
  };
  const leave = (key: string): void => {
    underway.get(key)?.forget();
    underway.delete(key);
  };
  return {
    begin: (effect) => {
      if (underway.has(effect.key)) return;
      if (waitForNobody.has(effect.name)) {
        underway.set(effect.key, { effect, outcome: perform(effects, effect, signal), own: null, forget: () => {} });
        return;
      }
      const own = new AbortController();
      // Do not use `AbortSignal.any`: it is more expensive, and Node keeps the combined signal in memory as long as
      // that signal has a listener.
      const interrupt = (): void => own.abort(signal.reason);
      signal.addEventListener("abort", interrupt);
      const forget = (): void => signal.removeEventListener("abort", interrupt);
      if (signal.aborted) interrupt();
      else if (failure !== null) own.abort(failure.error);
      underway.set(effect.key, { effect, outcome: perform(effects, effect, own.signal), own, forget });
    },
    has: (key) => underway.has(key) || resting.has(key),
    park: (key) => resting.add(key),
    parked: () => resting.size > 0,
    unpark: () => resting.clear(),
    effects: () => [...underway.values()].map(({ effect }) => effect),
    idle: () => underway.size === 0,
    ready: soonest,
    drop: (key) => {
      const unwanted = underway.get(key);
      if (unwanted === undefined) return;
      leave(key);
      unwanted.own?.abort();
      dropped.add(unwanted.outcome);
    },
    next: async () => {
      for (;;) {
        if (underway.size === 0) {
          await Promise.all(dropped);
          if (failure !== null) throw failure.error;
          return null;
        }
        const outcome = await soonest();
        leave(outcome.effect.key);
        if (!("error" in outcome)) return outcome;
        if (outcome.error instanceof NotReported) resting.add(outcome.effect.key);
        else stop(outcome.error);
      }
    },
    stop,
    stopped: () => signal.aborted || failure !== null,
  };
}

const outcomeOf = ({ outcome }: Underway): Promise<Outcome> => outcome;

async function perform(effects: Acts, effect: Effect, signal: AbortSignal): Promise<Outcome> {
  try {
    return { effect, ...(await performAct(effects, effect, signal)) };
  } catch (error) {
    return { effect, error };
  }
}
