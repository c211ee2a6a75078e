import { type Block, executorName, type RunState } from "../model/run-state.ts";
import type { Availability } from "../ports/attempts.ts";

export interface ExecutorWatch extends Availability {
  /** Register the executors that became unavailable since the last call, with the wait that each reported. */
  look(): void;
}

/**
 * Derive executor availability from the state of a run. Setting the wall clock back does not prolong a wait.
 *
 * @param elapsedMs A monotonic clock, in milliseconds.
 */
export function watchExecutors(now: () => RunState, elapsedMs: () => number): ExecutorWatch {
  /** Latest end of each wait, by the monotonic clock. */
  const latest = new WeakMap<Block, number>();
  /** Start of each wait, by the monotonic clock. */
  const begun = new Map<number, number>();
  const leftOf = (block: Block, time: number): number => {
    const { until, said } = block;
    if (until === null) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(until - time, (latest.get(block) ?? latestOf(until, said)) - elapsedMs()));
  };
  const latestOf = (until: number, said: number | null): number =>
    said === null ? Number.POSITIVE_INFINITY : elapsedMs() + until - said;
  const waits: (...of: Parameters<Availability["nextFree"]>) => number[] = (role, executors, time, but) =>
    executors.map((executor) => {
      const name = executorName(role, executor);
      if (but !== undefined && now().turn.executors[but.attempt] === name) {
        return but.until === null ? Number.POSITIVE_INFINITY : Math.max(0, but.until - time);
      }
      const { blocked } = now();
      return Object.hasOwn(blocked, name) ? leftOf(blocked[name] as Block, time) : 0;
    });
  return {
    look: () => {
      for (const block of Object.values(now().blocked)) {
        if (block.until !== null && !latest.has(block)) latest.set(block, latestOf(block.until, block.said));
      }
    },
    choose: (role, executors, time) => {
      const left = waits(role, executors, time);
      return executors[left.indexOf(Math.min(...left))] as number;
    },
    nextFree: (role, executors, time, but) => {
      const soonest = Math.min(...waits(role, executors, time, but));
      return Number.isFinite(soonest) ? time + soonest : null;
    },
    waitedSince: (since, time, most = 0) => {
      const known = begun.get(since) ?? elapsedMs() - Math.max(0, Math.min(time - since, most));
      begun.set(since, known);
      return Math.ceil(elapsedMs() - known);
    },
  };
}
