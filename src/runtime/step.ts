import type { AnyStateMachine, InputFrom } from "xstate";
import { type Answer, type AnswerTo, checkAnswer, type Effect, type EffectName } from "../model/effect.ts";
import type { EscalationEvent } from "../model/escalation-event.ts";
import type { RunEvent } from "../model/event.ts";
import type { PersonEvent } from "../model/person-event.ts";
import { invokedIn, moveChart, startChart, type Transition } from "./chart.ts";
import type { ChartEvent, Request } from "./compile-chart.ts";
import { childPath, type Invoked, isMachine, type MachineNode, machineAt, type StepState } from "./step-state.ts";

/** What a step gives: the state after it, what is to be done next, and what happened. */
export interface Step {
  readonly state: StepState;
  /** Effects that this step asks for; `pending` lists all that are still unanswered. */
  readonly effects: readonly Effect[];
  readonly events: readonly RunEvent[];
}

/** One move of one machine within a step. */
export interface MachineMove {
  readonly path: string;
  readonly event: ChartEvent;
  /** Where it has led to. */
  readonly node: MachineNode;
  readonly isDone: boolean;
  readonly output: unknown;
}

/** Shown every move of a step, each machine's before those of the machines that it has invoked. */
export type WatchMove = (move: MachineMove) => void;

/** Start a machine without an actor. Nothing is performed: effects come out as data. */
export function start<Machine extends AnyStateMachine>(machine: Machine, input: InputFrom<Machine>): Step {
  const walk = newWalk({ version: 1, machine: machine.id, status: "active", output: null, nodes: {} });
  enter(walk, "", machine, input);
  return settle(walk, machine);
}

/**
 * Answer a pending effect. An answer whose key is not pending (late, repeated) changes nothing.
 *
 * @throws {InputError} `answer-malformed`
 */
export function report<Key extends string>(
  machine: AnyStateMachine,
  state: StepState,
  key: Key,
  answer: AnswerTo<Key>,
  watch?: WatchMove,
): Step {
  return reportAs(machine, state, key, (effect) => checkAnswer(effect, answer), watch);
}

/** Answer a pending effect with what is in the form of its answers already. */
export const reportChecked = (
  machine: AnyStateMachine,
  state: StepState,
  key: string,
  answer: Answer<EffectName>,
): Step => reportAs(machine, state, key, () => answer);

function reportAs(
  machine: AnyStateMachine,
  state: StepState,
  key: string,
  answerTo: (effect: Effect) => Answer<EffectName>,
  watch?: WatchMove,
): Step {
  for (const path in state.nodes) {
    const { invoked } = state.nodes[path] as MachineNode;
    for (const id in invoked) {
      const child = invoked[id] as Invoked;
      if (child.kind !== "effect" || child.effect.key !== key) continue;
      const walk = newWalk(state, watch);
      advance(walk, machine, path, doneEvent(id, answerTo(child.effect)));
      return settle(walk, machine);
    }
  }
  return { state, effects: [], events: [] };
}

/**
 * Send an event from outside, e.g. `{ type: "cancel" }`, to the machine and to those at work in it, the outermost
 * first. One it does not know changes nothing.
 */
export function send(
  machine: AnyStateMachine,
  state: StepState,
  event: PersonEvent | EscalationEvent,
  watch?: WatchMove,
): Step {
  if (state.status !== "active") return { state, effects: [], events: [] };
  const walk = newWalk(state, watch);
  for (const path of Object.keys(state.nodes).sort((one, other) => one.length - other.length)) {
    advance(walk, machine, path, event);
  }
  return settle(walk, machine);
}

/** All effects that wait for an answer. */
export function pending(_machine: AnyStateMachine, { nodes }: StepState): Effect[] {
  const waiting: Effect[] = [];
  for (const path in nodes) {
    const { invoked } = nodes[path] as MachineNode;
    for (const id in invoked) {
      const child = invoked[id] as Invoked;
      if (child.kind === "effect") waiting.push(child.effect);
    }
  }
  return waiting;
}

interface Walk {
  state: { -readonly [Field in keyof StepState]: StepState[Field] } & { nodes: Record<string, MachineNode> };
  readonly effects: Effect[];
  readonly events: RunEvent[];
  /** Ends of nested machines that their parents have not heard of yet. */
  readonly ended: { path: string; output: unknown }[];
  readonly watch: WatchMove | undefined;
}

const newWalk = ({ version, machine, status, output, nodes }: StepState, watch?: WatchMove): Walk => ({
  state: { version, machine, status, output, nodes: { ...nodes } },
  effects: [],
  events: [],
  ended: [],
  watch,
});

/** Tell the parents of nested machines that ended, innermost first, until all have heard. */
function settle(walk: Walk, machine: AnyStateMachine): Step {
  for (const { path, output } of walk.ended) {
    const cut = path.lastIndexOf("/");
    advance(walk, machine, path.slice(0, Math.max(cut, 0)), doneEvent(path.slice(cut + 1), output));
  }
  const { state, effects, events } = walk;
  return { state, effects, events };
}

/** What a machine hears of an effect or a machine that it has invoked. */
const doneEvent = (actorId: string, output: unknown): ChartEvent => ({
  type: `xstate.done.actor.${actorId}`,
  output,
  actorId,
});

function advance(walk: Walk, machine: AnyStateMachine, path: string, event: ChartEvent): void {
  const before = walk.state.nodes[path];
  // Its parent, or the whole, may have ended meanwhile.
  if (!before || walk.state.status !== "active") return;
  const logic = machineAt(machine, walk.state, path);
  commit(walk, path, logic, moveChart(logic, before, event), event);
}

function enter(walk: Walk, path: string, logic: AnyStateMachine, input: unknown): void {
  const event = { type: "xstate.init", input };
  commit(walk, path, logic, startChart(logic, event), event);
}

/** A nested machine that a transition has invoked. */
interface Entered {
  readonly path: string;
  readonly logic: AnyStateMachine;
  readonly input: unknown;
}

function commit(
  walk: Walk,
  path: string,
  logic: AnyStateMachine,
  { value, context, isDone, output, requests }: Transition,
  event: ChartEvent,
): void {
  const before = walk.state.nodes[path]?.invoked ?? {};
  const awaited = invokedIn(logic, value);
  const invoked: Record<string, Invoked> = {};
  for (const id in before) {
    const child = before[id] as Invoked;
    if (id !== event.actorId && (isSpawned(child) || awaited.some((other) => other.id === id))) invoked[id] = child;
    else if (child.kind === "machine") drop(walk, childPath(path, id));
  }
  const entered: Entered[] = [];
  for (const request of requests) take(walk, path, logic, request, invoked, entered);
  const node = { value, context, invoked };
  walk.state.nodes[path] = node;
  walk.watch?.({ path, event, node, isDone, output });
  for (const child of entered) enter(walk, child.path, child.logic, child.input);
  if (!isDone) return;
  if (path === "") Object.assign(walk.state, { status: "done", output });
  else {
    drop(walk, path);
    walk.ended.push({ path, output });
  }
}

const isSpawned = (child: Invoked): boolean => "spawned" in child;

/** Take what a transition asks for: an effect to be performed, an event to be told, a nested machine to be entered. */
function take(
  walk: Walk,
  path: string,
  logic: AnyStateMachine,
  request: Request,
  invoked: Record<string, Invoked>,
  entered: Entered[],
): void {
  if (request.kind === "emit") {
    walk.events.push(request.event);
    return;
  }
  const { kind, id, src, input } = request;
  const child: unknown = logic.implementations.actors[src];
  if (isMachine(child)) {
    const below = childPath(path, id);
    invoked[id] = { kind: "machine", src, ...(kind === "spawn" && { spawned: true }) };
    drop(walk, below);
    entered.push({ path: below, logic: child, input });
    return;
  }
  const { key } = input as Effect["input"];
  const effect = { name: src, key, input } as Effect;
  invoked[id] = { kind: "effect", effect };
  walk.effects.push(effect);
}

/** Take a machine and everything below it out of the state. */
function drop(walk: Walk, path: string): void {
  const below = `${path}/`;
  for (const other in walk.state.nodes) {
    if (other === path || other.startsWith(below)) delete walk.state.nodes[other];
  }
}
