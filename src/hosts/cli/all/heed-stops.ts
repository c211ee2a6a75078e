import { isStopAsked } from "../../node/message-run.ts";
import type { Surroundings } from "../terminal.ts";
import type { FoundRun } from "./found-run.ts";

/** How one of several runs in this process is stopped. */
interface RunStop {
  readonly signal: AbortSignal;
  /** Its run has ended. */
  end(): void;
}

/**
 * Stop every run when the whole is interrupted, and one alone when `fixpoint stop` was called for it: it leaves a note
 * beside the spec before it sends this process its signal.
 */
export function heedStops(signal: AbortSignal, heedStop: Surroundings["heedStop"]): { begin(run: FoundRun): RunStop } {
  const atWork = new Map<FoundRun, AbortController>();
  signal.addEventListener("abort", () => {
    for (const stop of atWork.values()) stop.abort(signal.reason);
  });
  heedStop?.(() => {
    const meant = [...atWork].filter(([run, stop]) => !stop.signal.aborted && isMeant(run));
    for (const [, stop] of meant) stop.abort();
    return meant.length > 0;
  });
  return {
    begin: (run) => {
      const stop = new AbortController();
      atWork.set(run, stop);
      return { signal: stop.signal, end: () => void atWork.delete(run) };
    },
  };
}

function isMeant({ spec }: FoundRun): boolean {
  try {
    return spec !== null && isStopAsked(spec);
  } catch {
    return false;
  }
}
