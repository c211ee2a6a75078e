/**
 * A view that is written at once, but not again within a pause. A change during the pause is written at its end. A pause
 * is much longer than the writing before it took, however long the plan is.
 */
export interface PausedView {
  refresh(): void;
  /** Write what is still to be written. */
  flush(): void;
  /** Write nothing more. */
  stop(): void;
}

/** A view that takes so long to write that this matters is written for at most one part of the time in so many. */
const partOfTheTime = 20;

/** @param pauseMs The least time between two writes. */
export function pausedView(write: () => void, pauseMs = 100): PausedView {
  let timer: NodeJS.Timeout | undefined;
  let stale = false;
  const rest = (): void => {
    timer = undefined;
    if (!stale) return;
    try {
      refresh();
    } catch {
      // Nobody catches what a timer throws. The next change, or the flush, fails for the same reason.
      stale = true;
    }
  };
  const refresh = (): void => {
    stale = timer !== undefined;
    if (stale) return;
    const began = performance.now();
    write();
    const restMs = Math.max(pauseMs, partOfTheTime * (performance.now() - began));
    timer = setTimeout(rest, restMs).unref();
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    stale = false;
  };
  return {
    refresh,
    flush: () => {
      const due = stale;
      stop();
      if (due) write();
    },
    stop,
  };
}
