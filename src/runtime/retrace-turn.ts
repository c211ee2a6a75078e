import type { AnyStateMachine } from "xstate";
import type { Answer } from "../model/effect.ts";
import type { RunEvent } from "../model/event.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { effectOf } from "../model/reply.ts";
import { isAskedAgain } from "./replay.ts";
import { report, type Step, send, start } from "./step.ts";
import type { StepState } from "./step-state.ts";

type Answered = Extract<TimedRunRecord, { type: "answered" }>;

/** What a record of a turn has led to. */
export interface Move {
  readonly before: StepState;
  readonly after: StepState;
  readonly events: readonly RunEvent[];
}

/** The moves of a turn, by their records, and the record behind which they cannot be told. */
export interface Retraced {
  readonly moves: ReadonlyMap<TimedRunRecord, Move>;
  /** Null when all of it fits. */
  readonly diverged: Answered | null;
}

/** The same machine, given the same answers, makes the same moves: retrace those of one turn from its records. */
export function retraceTurn(
  machine: AnyStateMachine,
  { policy, turn }: { readonly policy: unknown; readonly turn: number },
  records: readonly TimedRunRecord[],
): Retraced {
  const moves = new Map<TimedRunRecord, Move>();
  const heard = records.filter(leadsOn);
  let { state } = start(machine, { policy, turn });
  for (const [index, record] of heard.entries()) {
    if (isAskedAgain(record, heard.slice(index + 1))) continue;
    const step = record.type === "said" ? send(machine, state, record.event) : stepOver(machine, state, record);
    if (step === null) return { moves, diverged: record as Answered };
    moves.set(record, { before: state, after: step.state, events: step.events });
    state = step.state;
  }
  return { moves, diverged: null };
}

/** Advice and decisions that led to something are recorded as answers, too. */
const leadsOn = (record: TimedRunRecord): record is Extract<TimedRunRecord, { type: "answered" | "said" }> =>
  record.type === "answered" ||
  (record.type === "said" && record.event.type !== "guidance.given" && record.event.type !== "decision.made");

/** Null when nothing waits for what is recorded, or not for that. What was under way may come in behind the end. */
function stepOver(machine: AnyStateMachine, state: StepState, { key, answer }: Answered): Step | null {
  try {
    const step = report(machine, state, key, answer as Answer<"delegate">);
    return step.state === state && state.status === "active" && !isAnew(key) ? null : step;
  } catch {
    return null;
  }
}

/** What comes after a question that is asked anew is done anew, too, and so is the last look at the plan. */
const isAnew = (key: string): boolean =>
  ["mergeProgress", "chooseCleanup", "confirmCompletion"].includes(effectOf(key));
