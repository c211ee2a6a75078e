import { isLost } from "../../../model/errors.ts";

/** How often the fence is looked at. */
const lookMs = 250;

/** A watch over the spec of a run that is at work. */
export interface FenceWatch {
  /** Aborted with the run's own signal, and when the spec is lost: with the error that says so. */
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Stop a run that does not hold its spec any more: its executors would work on for hours, beside those of another.
 *
 * @param checkFence Throws when the spec is held no more.
 * @param stop The run's own signal.
 */
export function watchFence(checkFence: () => void, stop: AbortSignal | undefined): FenceWatch {
  const own = new AbortController();
  const interrupt = (): void => own.abort(stop?.reason);
  if (stop?.aborted === true) interrupt();
  // Not `AbortSignal.any`: Node keeps what it gives for as long as somebody listens.
  stop?.addEventListener("abort", interrupt);
  const look = (): void => {
    try {
      checkFence();
    } catch (error) {
      // What cannot be looked at now fails the run where it is written to.
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
