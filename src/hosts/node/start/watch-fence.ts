import { isLost } from "../../../model/errors.ts";

/** How often the fence is checked. */
const lookMs = 250;

/** A watch over the spec of a run that is at work. */
export interface FenceWatch {
  /** Aborted with the run's own signal, and when the spec is lost, with the error for that. */
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Stop a run that no longer holds its spec: its executors could work for hours beside those of another.
 *
 * @param checkHeld Throws when this coordinator no longer holds the spec.
 * @param stop The run's own signal.
 */
export function watchFence(checkHeld: () => void, stop: AbortSignal | undefined): FenceWatch {
  const own = new AbortController();
  const interrupt = (): void => own.abort(stop?.reason);
  if (stop?.aborted === true) interrupt();
  // Not `AbortSignal.any`: Node keeps its result alive as long as somebody listens.
  stop?.addEventListener("abort", interrupt);
  const look = (): void => {
    try {
      checkHeld();
    } catch (error) {
      // A file that cannot be read now fails the run when something is written.
      if (isLost(error)) own.abort(error);
    }
  };
  const timer = setInterval(look, lookMs).unref();
  return {
    signal: own.signal,
    end: () => {
      clearInterval(timer);
      stop?.removeEventListener("abort", interrupt);
    },
  };
}
