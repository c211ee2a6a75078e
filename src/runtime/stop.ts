import type { SpecOutcome } from "../../machines/spec-outcome.ts";
import { adviceOf, commandLine, type SpecAddress } from "../model/command-line.ts";
import { EnvironmentError, GateError, InputError, isLost } from "../model/errors.ts";
import { exitCodes, type RunEnded, type RunEnding } from "../model/event.ts";
import type { Denial } from "../model/limits.ts";
import { type DenialReader, explainDenial } from "../wording/explain-denial.ts";

/** Why a run stops, and what people are told. */
export interface Stop {
  readonly outcome: RunEnding;
  readonly error?: string;
  readonly hint?: string;
  readonly denial?: Denial;
  /** Whether the next start resumes in the middle of the turn, although the outcome is a gate. */
  readonly midTurn?: true;
}

/**
 * What an error means for the run.
 *
 * @throws {unknown} Our own defects, and that the run does not hold the spec any more.
 */
export function stopFor(error: unknown, signal: AbortSignal, address: SpecAddress): Stop {
  if (isLost(error)) throw error;
  if (signal.aborted && isInterruption(error, signal)) {
    return { outcome: "interrupted", hint: `Go on: ${commandLine(address, "run")}` };
  }
  if (error instanceof EnvironmentError) return refusedBy(error);
  if (error instanceof InputError) {
    return { ...askedBy(error, address), ...(error instanceof GateError && { midTurn: true }) };
  }
  throw error;
}

const refusedBy = ({ message, hint }: EnvironmentError) =>
  ({ outcome: "environment", error: message, hint: hint ?? "Mend it, then run again to go on" }) as const;

const askedBy = (error: InputError, address: SpecAddress) =>
  ({
    outcome: "gate",
    error: error.message,
    hint: adviceOf(error, address) ?? "Look at tasks.md, then run again",
  }) as const;

/** The end of a run that could not be left as its end says. */
export function endedBy(error: EnvironmentError | GateError, ended: RunEnded, address: SpecAddress): RunEnded {
  const stop = error instanceof GateError ? askedBy(error, address) : refusedBy(error);
  return { ...ended, exitCode: exitCodes[stop.outcome], ...stop };
}

/** An executor that was stopped may say so in any words. */
const isInterruption = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || (error instanceof EnvironmentError && error.code === "executor-failed");

/** Why a run stops whose charts have come to an outcome. */
export function stopOf(outcome: SpecOutcome, reader: DenialReader): Stop {
  const { address } = reader;
  switch (outcome.kind) {
    case "complete":
      return { outcome: "complete" };
    case "cancelled":
      return { outcome: "cancelled", hint: `Go on: ${commandLine(address, "run")}` };
    case "gate":
    case "checkpoint":
      return { outcome: outcome.kind, error: outcome.reason, hint: outcome.hint };
    case "skipped":
      return {
        outcome: "skipped",
        hint: [
          `When you have done and ticked what was left out, go on: ${commandLine(address, "run")}`,
          `Or have it tried again: ${commandLine(address, "resume", { options: ["--decision", "retry"] })}`,
        ].join("\n"),
      };
    case "limit": {
      const { denial, lastError, spent } = outcome;
      return { outcome: "limit", denial, ...explainDenial(denial, spent, lastError, reader) };
    }
  }
}
