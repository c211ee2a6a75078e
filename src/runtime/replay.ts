import type { AnyStateMachine } from "xstate";
import type { Answer } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { effectOf } from "../model/reply.ts";
import { report, start } from "./step.ts";
import type { StepState } from "./step-state.ts";

type Answered = Extract<TimedRunRecord, { type: "answered" }>;

const chooses = ({ key }: Answered): boolean => effectOf(key) === "chooseTask";
/** The last look at the plan is taken anew: what it saw may have changed since. */
const looks = ({ key }: Answered): boolean => effectOf(key) === "confirmCompletion";
/** What came after a question that is asked anew is done anew, too. */
const follows = ({ key }: Answered): boolean => ["mergeProgress", "chooseCleanup"].includes(effectOf(key));

/** The turn a run is in, counted from 1; 0 before the first. */
export const turnOf = (records: readonly TimedRunRecord[]): number =>
  records.filter((record) => record.type === "answered" && chooses(record)).length;

/** The records of the turn that is under way: from the choice of its task on. */
export function currentTurn(records: readonly TimedRunRecord[]): readonly TimedRunRecord[] {
  const at = records.findLastIndex((record) => record.type === "answered" && chooses(record));
  return at === -1 ? [] : records.slice(at);
}

/** Questions that stopped a start are asked anew by the next: none is the answer that a later one goes on from. */
export const asksPerson = (record: TimedRunRecord): boolean =>
  record.type === "answered" && (record.answer as { readonly kind?: string }).kind === "gate";

/**
 * The coordinator's state after the recorded answers of a turn: the same machine, given the same answers, is in the
 * same state, so nothing else needs to be stored.
 */
export function replayTurn(
  machine: AnyStateMachine,
  input: { readonly policy: unknown; readonly turn: number },
  records: readonly TimedRunRecord[],
): StepState {
  let { state } = start(machine, input);
  const answered = records.filter((record) => record.type === "answered");
  const last = answered.at(-1);
  for (const record of answered) {
    if (looks(record) || (asksPerson(record) && record !== last)) continue;
    const before = state;
    state = report(machine, before, record.key, record.answer as Answer<"delegate">).state;
    if (state === before && !follows(record)) throw diverged(record.key);
  }
  return state;
}

const diverged = (key: string): InputError =>
  new InputError(`Cannot go on with the run, expected its records to fit: nothing waits for \`${key}\``, {
    code: "journal-diverged",
    hint: "It was recorded by another version: go on with that, or move the spec's .fixpoint folder away",
  });
