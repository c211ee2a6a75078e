import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../ports/clock.ts";
import type { FleetAnswer } from "./protocol.ts";

/**
 * What is at work in the process of a coordinator, and what waits for something outside. Once all wait, the process has
 * nothing to do before the next message or time.
 */
export interface Desk {
  /** Count something as being at work here. */
  at<Result>(work: Promise<Result>): Promise<Result>;
  /** Wait for the answer of a job. Rejects when the signal is aborted. */
  answerOf(job: string, signal: AbortSignal): Promise<FleetAnswer>;
  /** Wait for a turn, and do something in it. @param take Calls what it is given once it is its turn. */
  turn<Result>(take: (act: () => Promise<Result>) => Promise<Result>, act: () => Promise<Result>): Promise<Result>;
  /** Wait until something else has happened in the run. Rejects when the signal is aborted. */
  park(signal: AbortSignal): Promise<void>;
  /** Something has happened. */
  unpark(): void;
  /** An answer has come; one that came before it was asked for is kept. */
  take(answer: FleetAnswer): void;
  /** A clock whose sleepers wait as for something outside. */
  readonly clock: Clock;
  /** Wake those whose time has come. */
  wake(): void;
  /** When the next of them wakes; null for none. */
  nextTime(): number | null;
  /** Resolves once nothing is at work any more. */
  atRest(): Promise<void>;
}

interface Waiting<Value> {
  readonly go: (value: Value) => void;
}

export function createDesk(): Desk {
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
  /** @param begin Is given what ends the waiting, and answers what to do when nobody waits any more. */
  const outside = <Value>(signal: AbortSignal, begin: (waiting: Waiting<Value>) => () => void): Promise<Value> => {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        signal.removeEventListener("abort", abort);
        forget();
        count(1);
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
      count(-1);
    });
  };
  return {
    at: (work) => {
      count(1);
      return work.finally(() => count(-1));
    },
    answerOf: async (job, signal) => {
      const known = answers.get(job);
      if (known !== undefined) return known;
      return outside<FleetAnswer>(signal, (waiting) => {
        waits.set(job, waiting);
        return () => waits.delete(job);
      });
    },
    turn: (take, act) => {
      let isWaiting = true;
      const go = (): void => {
        if (isWaiting) count(1);
        isWaiting = false;
      };
      count(-1);
      return take(() => {
        go();
        return act();
      }).finally(go);
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
        // What has just ended may begin something else.
        await setImmediate();
        if (working === 0) return;
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
  };
}
