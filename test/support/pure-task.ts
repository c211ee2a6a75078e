import { type AnyMachineSnapshot, type EventObject, initialTransition, transition } from "xstate";
import { createTaskMachine } from "../../machines/task.ts";
import type { TaskContext, TaskOutcome } from "../../machines/task-machine.ts";
import { beginRecords } from "../../src/effects/begin-records.ts";
import type { DecisionState } from "../../src/model/decision.ts";
import type { Answer, Effect, EffectName } from "../../src/model/effect.ts";
import type { RunEvent } from "../../src/model/event.ts";
import { type Policy, type PolicyInput, readPolicy } from "../../src/model/policy.ts";
import type { Answered, RunRecord } from "../../src/model/record.ts";
import type { RunState } from "../../src/model/run-state.ts";
import { apply } from "../../src/run/apply.ts";
import { answerOfState, isAnsweredByState } from "../../src/run/decide-next.ts";
import { decisionState } from "../../src/run/decision-state.ts";
import { eventsOf } from "../../src/run/events-of.ts";
import { newRun } from "../../src/run/new-run.ts";
import { effectFor } from "../../src/run/requests.ts";

export interface TaskState {
  readonly value: string;
  readonly context: TaskContext;
  readonly output: TaskOutcome | null;
  readonly run: RunState;
  readonly policy: Policy;
  readonly events: readonly RunEvent[];
  readonly records: readonly RunRecord[];
}

const machine = createTaskMachine();

export function startTask({ root, policy = {} }: { readonly root: string; readonly policy?: PolicyInput }): TaskState {
  const [snapshot] = initialTransition(machine, { root });
  return settle(at(snapshot, { run: newRun(), policy: readPolicy(policy), events: [], records: [] }));
}

export function pendingIn({ value, context, output, run, policy }: TaskState): Effect | undefined {
  if (output !== null) return undefined;
  const { root, current } = context;
  return effectFor(run, policy, { name: asked(value), root, current, input: {} });
}

export const answer = (state: TaskState, effect: Effect, given: object): TaskState =>
  settle(take(clear(state), effect, given as Answer<EffectName>));

export const standingIn = ({ run, policy, context: { root, current } }: TaskState): DecisionState =>
  decisionState(run, policy, { root, current });

const clear = (state: TaskState): TaskState => ({ ...state, events: [], records: [] });

function take(state: TaskState, effect: Effect, given: Answer<EffectName>): TaskState {
  const run = structuredClone(state.run);
  const answered = { type: "answered", effect: effect.name, key: effect.key, answer: given } as Answered;
  const records = [...beginRecords(effect, given), answered];
  for (const record of records) apply(run, record);
  const event = { type: `xstate.done.actor.${effect.name}`, output: given } as EventObject;
  const before = machine.resolveState({ value: state.value, context: state.context } as never);
  const [snapshot] = transition(machine, before as never, event as never);
  return at(snapshot, {
    ...{ run, policy: state.policy, records: [...state.records, ...records] },
    events: [...state.events, ...eventsOf(run, state.policy, answered)],
  });
}

function settle(state: TaskState): TaskState {
  const effect = pendingIn(state);
  if (effect === undefined || !isAnsweredByState(effect.name)) return state;
  const { run, policy, context } = state;
  return settle(take(state, effect, answerOfState(run, policy, effect.name, context)));
}

function at(snapshot: unknown, more: Pick<TaskState, "run" | "policy" | "events" | "records">): TaskState {
  const { value, context, status, output } = snapshot as AnyMachineSnapshot;
  return { value: String(value), context, output: status === "done" ? output : null, ...more };
}

const asked = (value: string): EffectName =>
  (machine.root.states[value as never] as unknown as { invoke: { src: EffectName }[] }).invoke[0]?.src as EffectName;
