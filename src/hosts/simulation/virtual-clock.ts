import type { Clock } from "../../ports/clock.ts";

/** A clock on which time passes only when everybody waits. */
export interface VirtualClock extends Clock {
  /** Milliseconds since it was made, whatever the wall clock says. */
  elapsedMs(): number;
  /** Set the wall clock to another time; who sleeps notices within a minute, and never sleeps longer than it had to. */
  jump(byMs: number): void;
  /** Do something later. Answers a function that calls it off. */
  after(delayMs: number, then: () => void): () => void;
  wait(delayMs: number): Promise<void>;
  /**
   * Let time pass until work is done.
   *
   * @throws {Error} when it waits for what will never come
   */
  drive<Result>(work: Promise<Result>): Promise<Result>;
}

interface Timer {
  readonly at: number;
  readonly then: () => void;
}

/** Behind the longest pause between two looks at the wall clock of those who sleep. */
const noticedMs = 60_000;

/** @param startMs What the wall clock shows first, in milliseconds since 1970. */
export function virtualClock(startMs: number): VirtualClock {
  const timers: Timer[] = [];
  const jumped = new Set<() => void>();
  let elapsed = 0;
  let offset = startMs;
  const after = (delayMs: number, then: () => void): (() => void) => {
    const timer = { at: elapsed + Math.max(0, delayMs), then };
    // Those of one time go off in the order in which they were set.
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
      // Whoever asked for it hears of its failure below.
      done.catch(() => {});
      for (;;) {
        await settled();
        if (isDone) return done;
        const next = timers.shift();
        if (next === undefined) throw new Error("everybody waits, and nobody for a time");
        elapsed = next.at;
        next.then();
      }
    },
  };
}

/** Resolves when all that can go on without waiting has done so. Browsers have timers only. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
