/** Writes a view: one write at a time, each of what there is to show when it begins. */
export interface SerialWriter {
  /** Resolves after a write that begins no earlier than this call, and rejects with its error. */
  write(): Promise<void>;
  /** Write within a pause: more is about to change. If that fails, the next write fails for the same reason. */
  writeSoon(): void;
  /** Begin no more writes. Resolves when none is under way. */
  stop(): Promise<void>;
}

/** @param pauseMs The longest time that a change waits for others. */
export function serialWriter(write: () => Promise<void>, pauseMs = 100): SerialWriter {
  let timer: NodeJS.Timeout | undefined;
  let isStale = false;
  let underway: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let isStopped = false;
  const begin = (): Promise<void> => {
    isStale = false;
    if (isStopped) return Promise.resolve();
    underway = write().finally(() => {
      underway = undefined;
    });
    return underway;
  };
  const writeNext = (): Promise<void> => {
    if (underway === undefined && following === undefined) return begin();
    following ??= settled(underway).then(() => {
      following = undefined;
      return begin();
    });
    return following;
  };
  const endPause = (): void => {
    timer = undefined;
    if (isStale) void settled(writeNext());
  };
  return {
    write: writeNext,
    writeSoon: () => {
      isStale = true;
      if (!isStopped) timer ??= setTimeout(endPause, pauseMs).unref();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return settled(following ?? underway);
    },
  };
}

const settled = (work: Promise<void> | undefined): Promise<void> => (work ?? Promise.resolve()).catch(() => {});
