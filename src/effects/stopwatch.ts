/** The working time of a run: it stands still while somebody or something is waited for. */
export interface Stopwatch {
  workingMs(): number;
  /** Add time that has passed elsewhere, in milliseconds. */
  add(ms: number): void;
  /** The time stands still until what this answers is called. */
  pause(): () => void;
}

/** @param elapsedMs Time since the run began, but for the time between its starts. */
export function createStopwatch(elapsedMs: () => number): Stopwatch {
  let pausedMs = 0;
  let pauses = 0;
  let pausedAt = 0;
  return {
    workingMs: () => elapsedMs() - pausedMs - (pauses > 0 ? elapsedMs() - pausedAt : 0),
    add: (ms) => {
      pausedMs -= ms;
    },
    pause: () => {
      if (pauses++ === 0) pausedAt = elapsedMs();
      return () => {
        if (--pauses === 0) pausedMs += elapsedMs() - pausedAt;
      };
    },
  };
}
