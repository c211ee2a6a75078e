import type { AnyStateMachine } from "xstate";
import type { Answer } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import type { PersonEvent } from "../model/person-event.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { effectOf } from "../model/reply.ts";
import { versionsApart } from "../model/way-on.ts";
import { report, send, start } from "./step.ts";
import type { MachineNode, StepState } from "./step-state.ts";

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
  { policy, turn }: { readonly policy: unknown; readonly turn: number },
  records: readonly TimedRunRecord[],
): StepState {
  let { state } = start(machine, { policy, turn });
  const answered = records.filter((record) => record.type === "answered" || record.type === "said");
  for (const [index, record] of answered.entries()) {
    if (record.type === "said") {
      state = sayAgain(machine, state, record.event);
      continue;
    }
    if (looks(record) || isAskedAgain(record, answered.slice(index + 1))) continue;
    const before = state;
    state = report(machine, before, record.key, record.answer as Answer<"delegate">).state;
    // What was under way when the run was cancelled is recorded behind its end.
    if (state === before && state.status === "active" && !follows(record)) throw diverged(record.key);
  }
  return state;
}

/** Whether a question was put again later: the answer that counts is the later one. */
export const isAskedAgain = (record: TimedRunRecord, later: readonly TimedRunRecord[]): boolean =>
  asksPerson(record) &&
  record.type === "answered" &&
  later.some((other) => other.type === "answered" && other.key === record.key);

/**
 * Tell machines what was said. While one waits for a person, whose question is to be put again, advice was for the
 * others: an answer is recorded as one.
 */
export function sayAgain(machine: AnyStateMachine, state: StepState, event: PersonEvent): StepState {
  if (event.type !== "guidance.given" && event.type !== "decision.made") return send(machine, state, event).state;
  const asking = Object.entries(state.nodes).filter(([, node]) => asks(node));
  const others = Object.entries(state.nodes).filter(([, node]) => !asks(node));
  if (asking.length === 0) return send(machine, state, event).state;
  const after = send(machine, { ...state, nodes: Object.fromEntries(others) }, event).state;
  return { ...after, nodes: { ...after.nodes, ...Object.fromEntries(asking) } };
}

const asks = ({ invoked }: MachineNode): boolean =>
  Object.values(invoked).some((child) => child.kind === "effect" && child.effect.name === "askPerson");

const diverged = (key: string): InputError =>
  new InputError(`Cannot go on with the run, expected its records to fit: nothing waits for \`${key}\``, {
    code: "journal-diverged",
    ways: versionsApart,
  });
