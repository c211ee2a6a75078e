import { type AnyMachineSnapshot, type AnyStateMachine, createActor, type InputFrom } from "xstate";
import * as z from "zod";
import { beginRecords } from "../effects/begin-records.ts";
import { type Answer, type AnswerTo, checkAnswer, type Effect, type EffectName } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import type { EscalationEvent } from "../model/escalation.ts";
import type { RunEvent } from "../model/event.ts";
import { interpreted } from "../model/parse-json.ts";
import type { PersonEvent } from "../model/person-event.ts";
import { Policy, type PolicyInput, readPolicy } from "../model/policy.ts";
import { RunRecord } from "../model/record.ts";
import { apply } from "../run/apply.ts";
import { newRun } from "../run/new-run.ts";
import type { Position } from "./drive-charts.ts";
import { openSession, type Session } from "./session.ts";

/** A machine between two steps: its input, and what has happened since. Plain JSON. */
export interface StepState {
  readonly version: 2;
  readonly machine: string;
  readonly input: unknown;
  readonly policy: Policy;
  readonly records: readonly RunRecord[];
  /** Events sent to the escalation machine, which makes no records. */
  readonly events: readonly object[];
}

/** The result of a step: the new state, the next effects, and what happened. */
export interface Step {
  readonly state: StepState;
  readonly isDone: boolean;
  /** Output of the machine if it has ended, else null. */
  readonly output: unknown;
  /** States of the machine and its children, the outermost first. */
  readonly positions: readonly Position[];
  /** All effects that wait for an answer. */
  readonly effects: readonly Effect[];
  readonly events: readonly RunEvent[];
  readonly records: readonly RunRecord[];
}

/**
 * Start a machine without I/O: effects are returned as data, not performed.
 *
 * @param policy Policy of its run (defaults if not given).
 * @throws {InputError} `input-malformed`, `policy-invalid`
 */
export function start<Machine extends AnyStateMachine>(
  machine: Machine,
  input: InputFrom<Machine>,
  policy: PolicyInput = {},
): Step {
  const state = {
    version: 2,
    machine: machine.id,
    input,
    policy: readPolicy(policy),
    records: [],
    events: [],
  } as const;
  return step(machine, state, () => {});
}

/**
 * Answer a pending effect. An answer to an effect that is not pending (late or repeated) changes nothing. Adds the
 * records that the effect would have written before it began.
 *
 * @throws {InputError} `answer-malformed`
 */
export const report = <Key extends string>(
  machine: AnyStateMachine,
  state: StepState,
  key: Key,
  answer: AnswerTo<Key>,
): Step =>
  step(machine, state, (session, note) => {
    const effect = session.performable().find((each) => each.key === key);
    if (effect === undefined) return;
    const checked: Answer<EffectName> = checkAnswer(effect, answer);
    note(beginRecords(effect, checked));
    session.take(effect, checked, { isChecked: true });
  });

/**
 * Send a person's event to a machine, such as `{ type: "cancel" }`; the escalation machine takes results of attempts.
 */
export const send = (machine: AnyStateMachine, state: StepState, event: PersonEvent | EscalationEvent): Step =>
  machine.id === "escalation"
    ? step(machine, { ...state, events: [...state.events, event] }, () => {})
    : step(machine, state, (session) => session.hear({ event: event as PersonEvent }));

/** All effects that wait for an answer. */
export const pending = (machine: AnyStateMachine, state: StepState): readonly Effect[] =>
  step(machine, state, () => {}).effects;

const Stored = z.object({
  version: z.literal(2),
  machine: z.string(),
  input: z.unknown(),
  policy: Policy,
  records: z.array(RunRecord),
  events: z.array(z.looseObject({ type: z.string() })),
});

/**
 * Restore a state that was stored as JSON.
 *
 * @throws {InputError} `state-malformed`, `state-of-other-machine`, `journal-diverged`
 */
export function restore(machine: AnyStateMachine, json: unknown): StepState {
  const parsed = Stored.safeParse(json, interpreted);
  if (!parsed.success) {
    throw refuse("state-malformed", `a state of version 2: ${parsed.error.issues[0]?.path.join(".")}`, parsed.error);
  }
  const state = parsed.data as StepState;
  if (state.machine !== machine.id) throw refuse("state-of-other-machine", `a state of the machine \`${machine.id}\``);
  step(machine, state, () => {});
  return state;
}

const refuse = (code: string, expected: string, cause?: unknown): InputError =>
  new InputError(`Cannot restore the state, expected ${expected}`, {
    code,
    hint: "It was stored by another version or changed since; start again from the plan",
    cause,
  });

function step(
  machine: AnyStateMachine,
  state: StepState,
  act: (session: Session, note: (records: readonly RunRecord[]) => void) => void,
): Step {
  if (machine.id === "escalation") return levelsAfter(machine, state);
  const run = newRun();
  for (const record of state.records) apply(run, record);
  const records: RunRecord[] = [];
  const events: RunEvent[] = [];
  const note = (made: readonly RunRecord[]): void => {
    for (const record of made) apply(run, record);
    records.push(...made);
  };
  const session = openSession({
    ...{ machine, input: state.input, policy: state.policy, state: run, records: state.records },
    record: (made, { onAppended } = {}) => {
      note(made);
      onAppended?.();
    },
    onEvent: (event) => void events.push(event),
  });
  act(session, note);
  const { charts } = session;
  return {
    state: { ...state, records: [...state.records, ...records] },
    isDone: charts.isDone(),
    output: charts.isDone() ? charts.output() : null,
    positions: charts.positions(),
    effects: session.performable(),
    ...{ events, records },
  };
}

/** Replay the events of an escalation machine. The step holds the result of the last event. */
function levelsAfter(machine: AnyStateMachine, state: StepState): Step {
  const actor = createActor(machine, { input: state.input });
  let events: RunEvent[] = [];
  actor.on("*", (event: unknown) => void events.push(event as RunEvent));
  const faults: unknown[] = [];
  actor.subscribe({ error: (error) => void faults.push(error) });
  actor.start();
  for (const fault of faults) throw fault;
  for (const event of state.events) {
    events = [];
    actor.send(event as never);
  }
  const { value, context } = actor.getSnapshot() as AnyMachineSnapshot;
  const positions = [{ path: "", machine: machine.id, state: String(value), context }];
  return { state, isDone: false, output: null, positions, effects: [], events, records: [] };
}
