import type { Clock } from "../../ports/ports.ts";

/** A clock whose time passes only while all work waits for a timer. */
export interface VirtualClock extends Clock {
  /** Milliseconds since the clock was created, independent of the wall clock. */
  elapsedMs(): number;
  /** Change the wall clock. Sleepers notice the change within a minute, and never sleep longer than requested. */
  jump(byMs: number): void;
  /** Call a function later. Returns a function that cancels the call. */
  after(delayMs: number, then: () => void): () => void;
  wait(delayMs: number): Promise<void>;
  /**
   * Let time pass until work is done.
   *
   * @throws {Error} if the work waits but no timer is left
   */
  drive<Result>(work: Promise<Result>): Promise<Result>;
}

interface Timer {
  readonly at: number;
  readonly then: () => void;
}

/** Time within which a sleeper notices a changed wall clock, the same as with the system clock. */
const noticedMs = 60_000;

/** @param startMs Initial time of the wall clock, in milliseconds since 1970. */
export function virtualClock(startMs: number): VirtualClock {
  const timers: Timer[] = [];
  const jumped = new Set<() => void>();
  let elapsed = 0;
  let offset = startMs;
  const after = (delayMs: number, then: () => void): (() => void) => {
    const timer = { at: elapsed + Math.max(0, delayMs), then };
    // Timers of the same time fire in the order in which they were set.
    const place = timers.findLastIndex(({ at }) => at <= timer.at) + 1;
    timers.splice(place, 0, timer);
    return () => {
      const index = timers.indexOf(timer);
      if (index !== -1) timers.splice(index, 1);
    };
  };
  const sleepUntil = (time: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      let forget = (): void => {};
      let due = elapsed;
      const latest = time - offset;
      const lookAfter = (delayMs: number): void => {
        forget();
        due = elapsed + delayMs;
        forget = after(delayMs, look);
      };
      const look = (): void => {
        const left = Math.min(time - offset, latest) - elapsed;
        if (left > 0) lookAfter(left);
        else end(resolve);
      };
      const notice = (): void => lookAfter(Math.min(noticedMs, due - elapsed));
      const stop = (): void => end(() => reject(signal.reason));
      const end = (settle: () => void): void => {
        forget();
        jumped.delete(notice);
        signal.removeEventListener("abort", stop);
        settle();
      };
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      jumped.add(notice);
      look();
    });
  return {
    now: () => offset + elapsed,
    elapsedMs: () => elapsed,
    jump: (byMs) => {
      offset += byMs;
      for (const notice of jumped) notice();
    },
    after,
    wait: (delayMs) => new Promise((resolve) => after(delayMs, resolve)),
    sleepUntil,
    drive: async (work) => {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      // The caller handles the error; this only avoids an unhandled rejection.
      done.catch(() => {});
      for (;;) {
        await settled();
        if (isDone) return done;
        const next = timers.shift();
        if (next === undefined) throw new Error("everything waits, and no timer is left");
        elapsed = next.at;
        next.then();
      }
    },
  };
}

/** Wait until all pending promise callbacks have run. Browsers have no `setImmediate`. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
