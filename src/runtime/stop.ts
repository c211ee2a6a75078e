import type { SpecOutcome } from "../../machines/spec.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { adviceOf, commandLine, type SpecAddress } from "../model/command-line.ts";
import { EnvironmentError, GateError, InputError, isLost } from "../model/errors.ts";
import { exitCodes, type RunEnded, type RunEnding } from "../model/event.ts";
import type { Denial } from "../model/limits.ts";
import type { Question } from "../model/person-event.ts";
import type { Policy } from "../model/policy.ts";
import type { TaskId } from "../model/task.ts";
import { decisionState, lastErrorOf } from "../run/decision-state.ts";
import { spentIn } from "../run/spending.ts";
import { explainDenial } from "../wording/explain-denial.ts";
import { hintsOf } from "../wording/render-parked.ts";

export interface Stop {
  readonly outcome: RunEnding;
  readonly error?: string;
  readonly hint?: string;
  readonly denial?: Denial;
  /** Whether the next start resumes mid-turn although the outcome is a gate. */
  readonly midTurn?: true;
}

/**
 * Translate an error into a stop.
 *
 * @throws {unknown} Defects of fixpoint, and the loss of the spec's lease.
 */
export function stopFor(error: unknown, signal: AbortSignal, address: SpecAddress): Stop {
  if (isLost(error)) throw error;
  if (signal.aborted && isInterruption(error, signal)) {
    return { outcome: "interrupted", hint: `Continue: ${commandLine(address, "run")}` };
  }
  if (error instanceof EnvironmentError) return refusedBy(error);
  if (error instanceof InputError) {
    return { ...askedBy(error, address), ...(error instanceof GateError && { midTurn: true }) };
  }
  throw error;
}

/** Stop because nothing can continue before handed-out work is reported, or before a certain time. */
export const waiting = (address: SpecAddress): Stop => ({
  outcome: "waiting",
  hint: `Handed-out work is not reported yet. Get it again with: ${commandLine(address, "next")}`,
});

const refusedBy = ({ message, hint }: EnvironmentError) =>
  ({ outcome: "environment", error: message, hint: hint ?? "Solve the problem, then run again to resume" }) as const;

const askedBy = (error: InputError, address: SpecAddress) =>
  ({
    outcome: "gate",
    error: error.message,
    hint: adviceOf(error, address) ?? "Look at tasks.md, then run again",
  }) as const;

export function endedBy(error: EnvironmentError | GateError, ended: RunEnded, address: SpecAddress): RunEnded {
  const stop = error instanceof GateError ? askedBy(error, address) : refusedBy(error);
  return { ...ended, exitCode: exitCodes[stop.outcome], ...stop };
}

/** Whether an error results from the interruption. An executor may report the interruption in any words. */
const isInterruption = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || (error instanceof EnvironmentError && error.code === "executor-failed");

interface OutcomeReader {
  readonly memory: Pick<RunMemory, "state" | "ledger">;
  readonly policy: Policy;
  readonly address: SpecAddress;
  /** Whether the next start runs the Verify of a planned task first. */
  readonly rerunsFirst: (root: TaskId) => boolean;
  /** Whether the executor wrote learnings into the log. */
  readonly hasLearnings: boolean;
}

/** Why a run stops at the outcome of its charts, and what else waits for a person. */
export function stopOf(outcome: SpecOutcome, reader: OutcomeReader): Stop {
  const stop = reachedBy(outcome, reader);
  const waiting = Object.entries(reader.memory.state.parked);
  const { kind, end } = outcome;
  // Do not repeat the questions of parked tasks if the outcome already reports them.
  const isTold = kind === "complete" || kind === "cancelled" || end?.kind === "gate";
  if (isTold || waiting.length === 0) return stop;
  return { ...stop, hint: [...(stop.hint === undefined ? [] : [stop.hint]), hintsOf(waiting)].join("\n") };
}

function reachedBy({ kind, end }: SpecOutcome, { memory, policy, address, ...more }: OutcomeReader): Stop {
  switch (kind) {
    case "complete":
      return { outcome: "complete" };
    case "cancelled":
      return { outcome: "cancelled", hint: `Continue: ${commandLine(address, "run")}` };
    case "gated":
    case "checkpoint": {
      const { reason, hint } = questionIn(end);
      return { outcome: kind === "gated" ? "gate" : kind, error: reason, hint };
    }
    case "skipped":
      return {
        outcome: "skipped",
        hint: [
          `After you have done and ticked the skipped tasks, continue: ${commandLine(address, "run")}`,
          `Or retry them: ${commandLine(address, "resume", { options: ["--decision", "retry"] })}`,
        ].join("\n"),
      };
    case "limited": {
      const denial = denialIn(end);
      const place = end !== null && "root" in end ? end : null;
      const lastError = place === null ? null : lastErrorOf(decisionState(memory.state, policy, place));
      const spent = place === null ? {} : spentIn(memory.state, place.root);
      return {
        outcome: "limit",
        denial,
        ...explainDenial(denial, spent, lastError, { address, used: memory.ledger, ...more }),
      };
    }
  }
}

/** The answer that ended a task or the pull request, or the question about the plan. */
const lastOf = (end: SpecOutcome["end"]): unknown => (end !== null && "end" in end ? end.end : end);

const questionIn = (end: SpecOutcome["end"]): Question => lastOf(end) as Question;

/** The limit that stopped a run: the limit of a denied effect, or the limit that an answer names. */
function denialIn(end: SpecOutcome["end"]): Denial {
  const ended = lastOf(end) as { readonly denial?: Denial };
  return ended.denial ?? (ended as Denial);
}
