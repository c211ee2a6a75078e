import type { HandedWork } from "../../../adapters/user/handed-out.ts";
import { adviceOf, type SpecAddress } from "../../../model/command-line.ts";
import { FixpointError } from "../../../model/errors.ts";
import type { RunEnded, RunEvent } from "../../../model/event.ts";

/** What comes next in a run. */
export type NextStep =
  /** Tasks to be done and reported, several where they may be done side by side. */
  | { readonly kind: "work"; readonly tasks: readonly HandedWork[] }
  /** Nothing can be done before that time, ISO 8601. */
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
 * What a start has come to.
 *
 * @param tasks What it has handed out.
 * @param events What has happened in it.
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

/** What only a person can settle before a start goes on. */
const forPerson: ReadonlySet<string> = new Set(["consent-missing", "plan-changed", "ticks-unexplained", "boxes-lost"]);

/** The question that an error of a start asks. @throws the error where it asks none */
export function questionIn(error: unknown, address: SpecAddress | undefined): NextStep {
  if (!(error instanceof FixpointError) || !forPerson.has(error.code)) throw error;
  const hint = address === undefined ? error.hint : adviceOf(error, address);
  return { kind: "asked", question: error.message, ...(hint !== undefined && { hint }) };
}
