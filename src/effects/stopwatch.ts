/** The working time of a run; paused while the run waits. */
export interface Stopwatch {
  workingMs(): number;
  /** Add time that passed elsewhere, in milliseconds. */
  add(ms: number): void;
  /** Pause until the returned function is called. */
  pause(): () => void;
}

/** @param elapsedMs Time since the run began, without the gaps between starts. */
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
