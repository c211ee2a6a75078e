import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../ports/ports.ts";
import type { FleetAnswer } from "./protocol.ts";

/**
 * Tracks the pending work in a coordinator's process: calls of ports, and nothing else. Effects may wait for each
 * other, so once no call is pending, there is nothing to do before the next message or timer.
 */
export interface PendingWork {
  at<Result>(work: Promise<Result>): Promise<Result>;
  /** Wrap a port so that its pending calls count as work. */
  counted<Part extends object>(part: Part): Part;
  /** Wait for the answer of a job. Rejects when the signal is aborted. */
  answerOf(job: string, signal: AbortSignal): Promise<FleetAnswer>;
  /** Wait for the next `unpark`. Rejects when the signal is aborted. */
  park(signal: AbortSignal): Promise<void>;
  unpark(): void;
  /** Deliver an answer, or keep it until it is requested. */
  take(answer: FleetAnswer): void;
  /** A clock whose sleepers do not count as pending work. */
  readonly clock: Clock;
  wake(): void;
  /** Time at which the next sleeper wakes; null if there is none. */
  nextTime(): number | null;
  atRest(): Promise<void>;
}

interface Waiting<Value> {
  readonly go: (value: Value) => void;
}

export function trackPendingWork(): PendingWork {
  let working = 0;
  let changed = (): void => {};
  const answers = new Map<string, FleetAnswer>();
  const waits = new Map<string, Waiting<FleetAnswer>>();
  const parked = new Set<Waiting<void>>();
  const sleepers = new Set<Waiting<void> & { readonly until: number }>();
  const count = (more: number): void => {
    working += more;
    changed();
  };
  /** @param begin Registers the waiter; returns a function that removes it. */
  const outside = <Value>(signal: AbortSignal, begin: (waiting: Waiting<Value>) => () => void): Promise<Value> => {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        signal.removeEventListener("abort", abort);
        forget();
      };
      const abort = (): void => {
        end();
        reject(signal.reason);
      };
      const forget = begin({
        go: (value) => {
          end();
          resolve(value);
        },
      });
      signal.addEventListener("abort", abort);
    });
  };
  const at = <Result>(work: Promise<Result>): Promise<Result> => {
    count(1);
    return work.finally(() => count(-1));
  };
  const called = (made: unknown): unknown => (made instanceof Promise ? at(made) : made);
  return {
    at,
    counted: (part) =>
      new Proxy(part, {
        apply: (target, self, given) => called(Reflect.apply(target as () => unknown, self, given)),
        get: (target, name) => {
          const found: unknown = Reflect.get(target, name);
          if (typeof found !== "function") return found;
          return (...given: readonly unknown[]) => called(Reflect.apply(found, target, given));
        },
      }),
    answerOf: async (job, signal) => {
      const known = answers.get(job);
      if (known !== undefined) return known;
      return outside<FleetAnswer>(signal, (waiting) => {
        waits.set(job, waiting);
        return () => waits.delete(job);
      });
    },
    park: (signal) =>
      outside<void>(signal, (waiting) => {
        parked.add(waiting);
        return () => parked.delete(waiting);
      }),
    unpark: () => {
      for (const { go } of [...parked]) go();
    },
    take: (answer) => {
      answers.set(answer.job, answer);
      waits.get(answer.job)?.go(answer);
    },
    clock: {
      now: Date.now,
      sleepUntil: async (until, signal) => {
        if (until <= Date.now()) return;
        await outside<void>(signal, ({ go }) => {
          const sleeper = { go, until };
          sleepers.add(sleeper);
          return () => sleepers.delete(sleeper);
        });
      },
    },
    wake: () => {
      for (const sleeper of [...sleepers]) if (sleeper.until <= Date.now()) sleeper.go();
    },
    nextTime: () => (sleepers.size === 0 ? null : Math.min(...[...sleepers].map(({ until }) => until))),
    atRest: async () => {
      for (;;) {
        // Work that has just ended may begin other work.
        await setImmediate();
        if (working === 0) return;
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
  };
}
