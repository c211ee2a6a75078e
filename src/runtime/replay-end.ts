import type { SpecOutcome } from "../../machines/spec-outcome.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { addressOf } from "../model/command-line.ts";
import { exitCodes } from "../model/event.ts";
import { emptyLedger } from "../model/ledger.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { Decision } from "./replayed.ts";
import type { StepState } from "./step-state.ts";
import { stopOf } from "./stop.ts";

type Ended = Extract<TimedRunRecord, { type: "ended" }>;

/** Ends that come from outside while the charts still wait for something. */
const fromOutside = ["interrupted", "environment", "gate"];

/**
 * How a start has ended, from the state of the charts and the memory of the run.
 *
 * @param state Null when the start has not led them anywhere.
 */
export function endDecisions(
  state: StepState | null,
  { ending, denial, midTurn }: Ended,
  memory: RunMemory,
): Decision[] {
  const { outcome, exitCode, attempts, skipped } = ending;
  const coded = { what: "the exit code", expected: exitCodes[outcome], recorded: exitCode };
  const gated = { what: "the outcome", expected: "gate", recorded: outcome };
  const reached = state === null ? [] : midTurn ? [gated] : outcomeDecisions(state, { ending, denial });
  const known = memory.skipped();
  return [
    coded,
    ...reached,
    { what: "the number of delegations", expected: memory.ledger.iterations, recorded: attempts },
    { what: "what was left out", expected: skipped.filter((task) => known.has(task)), recorded: skipped },
  ];
}

function outcomeDecisions(
  { status, output }: StepState,
  { ending, denial }: Pick<Ended, "ending" | "denial">,
): Decision[] {
  const what = "the outcome";
  // That the documents could not be left as they are to be weighs more than what was reached.
  if (ending.outcome === "environment") return [];
  if (status === "active") {
    const recorded = { outcome: ending.outcome, denial };
    const expected = { outcome: fromOutside.includes(ending.outcome) ? ending.outcome : fromOutside, denial: null };
    return [{ what, expected, recorded }];
  }
  const reader = { address: addressOf(""), used: emptyLedger };
  const { outcome, error = null, denial: reached = null } = stopOf(output as SpecOutcome, reader);
  // What is said of a limit follows from it, in words that each version may choose.
  const said = (text: string | null): string | null => (reached === null ? text : null);
  const recorded = { outcome: ending.outcome, error: said(ending.error ?? null), denial };
  return [{ what, expected: { outcome, error: said(error), denial: reached }, recorded }];
}
