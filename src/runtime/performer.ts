import { type Acted, type Acts, performAct } from "../effects/create-effects.ts";
import type { Effect, EffectName } from "../model/effect.ts";
import { NotReported } from "../ports/executor.ts";

/** An effect that was performed. */
export interface Performed extends Acted {
  readonly effect: Effect;
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
  /** Let an effect rest: it is not begun any more. */
  park(key: string): void;
  /** Whether effects rest: what they wait for does not come in this start. */
  parked(): boolean;
  /** Begin again with what rests, now that something has happened. */
  unpark(): void;
  /** What is under way. */
  effects(): readonly Effect[];
  /** Whether nothing is under way. */
  idle(): boolean;
  /** Resolves when `next` has something to say. */
  ready(): Promise<unknown>;
  /** End an effect that nobody waits for any more: what it answers counts for nothing. */
  drop(key: string): void;
  /** End all that is under way, as when an effect fails; the first error counts. */
  stop(error: unknown): void;
  /** Whether nothing new is to be begun. */
  stopped(): boolean;
}

type Outcome = Performed | { readonly effect: Effect; readonly error: unknown };

interface Underway {
  readonly effect: Effect;
  readonly outcome: Promise<Outcome>;
  /** Ends it alone; null where it waits for nobody. */
  readonly own: AbortController | null;
  /** Let go of the signal that stops all. */
  readonly forget: () => void;
}

/** Effects that wait for nobody: they are over as soon as the documents are read or written. */
export const waitForNobody: ReadonlySet<EffectName> = new Set([
  ...(["chooseTask", "chooseCleanup", "changePlan", "readFailure", "insertFix", "recordPass", "recordSkip"] as const),
  ...(["gatherParts", "mergeProgress", "writeStuckReport"] as const),
]);

/** @param signal Stops everything that is under way. */
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
      // `AbortSignal.any` costs more, and Node keeps what it gives for as long as somebody listens.
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
