import type { HandedWork } from "../../../adapters/user/handed-out.ts";
import { adviceOf, type SpecAddress } from "../../../model/command-line.ts";
import { FixpointError } from "../../../model/errors.ts";
import type { RunEnded, RunEvent } from "../../../model/event.ts";

/** The next step of a run. */
export type NextStep =
  /** Tasks to do and report. Several tasks may be done in parallel. */
  | { readonly kind: "work"; readonly tasks: readonly HandedWork[] }
  /** Nothing can be done before this time, ISO 8601. */
  | { readonly kind: "waiting"; readonly until?: string }
  /** A person has to answer first. */
  | { readonly kind: "asked"; readonly question: string; readonly hint?: string }
  | {
      readonly kind: "ended";
      readonly outcome: RunEnded["outcome"];
      readonly error?: string;
      readonly hint?: string;
    };

/**
 * Derive the next step from the end of a start.
 *
 * @param tasks Tasks that the start has handed out.
 * @param events Events of the start.
 */
export function nextOf(ended: RunEnded, tasks: readonly HandedWork[], events: readonly RunEvent[]): NextStep {
  const { outcome, error, hint } = ended;
  const more = { ...(hint !== undefined && { hint }) };
  switch (outcome) {
    case "waiting": {
      if (tasks.length > 0) return { kind: "work", tasks };
      const wait = events.findLast((event) => event.type === "waiting" || event.type === "pr.waiting");
      const until = wait !== undefined && "until" in wait ? wait.until : null;
      return { kind: "waiting", ...(until !== null && { until: new Date(until).toISOString() }) };
    }
    case "gate":
    case "checkpoint":
      return { kind: "asked", question: error ?? outcome, ...more };
    default:
      return { kind: "ended", outcome, ...(error !== undefined && { error }), ...more };
  }
}

const forPerson: ReadonlySet<string> = new Set(["consent-missing", "plan-changed", "ticks-unexplained", "boxes-lost"]);

/** Turn an error of a start into a question. @throws the error if a person cannot resolve it */
export function questionIn(error: unknown, address: SpecAddress | undefined): NextStep {
  if (!(error instanceof FixpointError) || !forPerson.has(error.code)) throw error;
  const hint = address === undefined ? error.hint : adviceOf(error, address);
  return { kind: "asked", question: error.message, ...(hint !== undefined && { hint }) };
}
