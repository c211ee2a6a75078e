/** A view that is not written again within a pause. A change during the pause is written at its end. */
export interface PausedView {
  /** Write what has changed, now or at the end of the pause. @throws Where the writing cannot begin now. */
  refresh(): void;
  /** Write what has changed within a pause: more is about to change. */
  refreshSoon(): void;
  /** Write nothing more. Resolves when nothing is being written any more. */
  stop(): Promise<void>;
}

/**
 * @param write Throws where it cannot begin to. What comes later is not told: the next change fails for the same reason.
 * @param pauseMs The least time from the end of a write to the next.
 */
export function pausedView(write: () => Promise<void>, pauseMs = 100): PausedView {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isResting = false;
  let isStale = false;
  let isStopped = false;
  const rest = (): void => {
    timer = undefined;
    isResting = false;
    if (!isStale) return;
    try {
      refresh();
    } catch {
      // Nobody catches what a timer throws.
    }
  };
  const pause = (): void => {
    if (!isStopped) timer ??= setTimeout(rest, pauseMs).unref();
  };
  const refresh = (): void => {
    isStale = isResting;
    if (isResting || isStopped) return;
    clearTimeout(timer);
    timer = undefined;
    const written = write();
    isResting = true;
    writing = written.catch(() => {}).then(pause);
  };
  return {
    refresh,
    refreshSoon: () => {
      isStale = true;
      if (!isResting) pause();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return writing;
    },
  };
}
