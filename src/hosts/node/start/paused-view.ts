/** A view that is written at once, but not again within a pause. A change during the pause is written at its end. */
export interface PausedView {
  refresh(): void;
  /** Write what is still to be written. */
  flush(): void;
  /** Write nothing more. */
  stop(): void;
}

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
    write();
    timer = setTimeout(rest, pauseMs).unref();
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
