import type { AnyMachineSnapshot, AnyStateMachine, InputFrom } from "xstate";
import { type AnswerTo, checkAnswer, type Effect } from "../model/effect.ts";
import { InvariantError } from "../model/errors.ts";
import type { EscalationEvent } from "../model/escalation-event.ts";
import type { RunEvent } from "../model/event.ts";
import type { PersonEvent } from "../model/person-event.ts";
import { type PureAction, pureStart, pureTransition } from "./pure-transition.ts";
import {
  childPath,
  type Invoked,
  invokedIn,
  isMachine,
  keepSnapshots,
  keptSnapshots,
  type MachineNode,
  machineAt,
  nodeOf,
  type StepState,
  snapshotAt,
} from "./step-state.ts";

/** What a step gives: the state after it, what is to be done next, and what happened. */
export interface Step {
  readonly state: StepState;
  /** Effects that this step asks for; `pending` lists all that are still unanswered. */
  readonly effects: readonly Effect[];
  readonly events: readonly RunEvent[];
}

/** Start a machine without an actor. Nothing is performed: effects come out as data. */
export function start<Machine extends AnyStateMachine>(machine: Machine, input: InputFrom<Machine>): Step {
  const walk = newWalk({ version: 1, machine: machine.id, status: "active", output: null, nodes: {} });
  enter(walk, machine, "", machine, input);
  settle(walk, machine);
  return finish(walk);
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
): Step {
  for (const [path, node] of Object.entries(state.nodes)) {
    for (const [id, invoked] of Object.entries(node.invoked)) {
      if (invoked.kind !== "effect" || invoked.effect.key !== key) continue;
      const output = checkAnswer(invoked.effect, answer);
      return deliver(machine, state, path, { type: `xstate.done.actor.${id}`, output, actorId: id });
    }
  }
  return { state, effects: [], events: [] };
}

/**
 * Send an event from outside, e.g. `{ type: "cancel" }`, to the machine and to those at work in it, the outermost
 * first. One it does not know changes nothing.
 */
export function send(machine: AnyStateMachine, state: StepState, event: PersonEvent | EscalationEvent): Step {
  if (state.status !== "active") return { state, effects: [], events: [] };
  const walk = newWalk(state);
  for (const path of Object.keys(state.nodes).sort((one, other) => one.length - other.length)) {
    if (path in walk.state.nodes) advance(walk, machine, path, event);
  }
  settle(walk, machine);
  return finish(walk);
}

/** All effects that wait for an answer. */
export const pending = (_machine: AnyStateMachine, state: StepState): Effect[] =>
  Object.values(state.nodes).flatMap(({ invoked }) =>
    Object.values(invoked).flatMap((child) => (child.kind === "effect" ? [child.effect] : [])),
  );

interface Walk {
  state: { -readonly [Field in keyof StepState]: StepState[Field] } & { nodes: Record<string, MachineNode> };
  readonly live: Map<string, AnyMachineSnapshot>;
  readonly effects: Effect[];
  readonly events: RunEvent[];
  /** Ends of nested machines that their parents have not heard of yet. */
  readonly ended: { path: string; output: unknown }[];
}

const newWalk = (state: StepState): Walk => ({
  state: { ...state, nodes: { ...state.nodes } },
  live: keptSnapshots(state),
  effects: [],
  events: [],
  ended: [],
});

/** An event as XState takes it; done events carry an output. */
type MachineEvent = { readonly type: string; readonly output?: unknown; readonly actorId?: string };

function deliver(machine: AnyStateMachine, state: StepState, path: string, event: MachineEvent): Step {
  const walk = newWalk(state);
  advance(walk, machine, path, event);
  settle(walk, machine);
  return finish(walk);
}

/** Tell the parents of nested machines that ended, innermost first, until all have heard. */
function settle(walk: Walk, machine: AnyStateMachine): void {
  for (let end = walk.ended.shift(); end !== undefined; end = walk.ended.shift()) {
    const cut = end.path.lastIndexOf("/");
    const id = end.path.slice(cut + 1);
    advance(walk, machine, end.path.slice(0, Math.max(cut, 0)), {
      type: `xstate.done.actor.${id}`,
      output: end.output,
      actorId: id,
    });
  }
}

function advance(walk: Walk, machine: AnyStateMachine, path: string, event: MachineEvent): void {
  const logic = machineAt(machine, walk.state, path);
  const before = walk.live.get(path) ?? snapshotAt(walk.state, path, logic);
  const [after, actions] = pureTransition(logic, before, event);
  commit(walk, machine, path, logic, after, actions as Action[], event.actorId);
}

function enter(walk: Walk, machine: AnyStateMachine, path: string, logic: AnyStateMachine, input: unknown): void {
  const [first, actions] = pureStart(logic, input);
  commit(walk, machine, path, logic, first, actions as Action[]);
}

/** An action as XState gives it, of the kinds our charts use. */
interface Action extends PureAction {
  readonly params: {
    readonly id?: string;
    readonly src?: string;
    readonly input?: unknown;
    readonly event?: RunEvent;
  };
}

/** A nested machine that a transition has invoked. */
interface Entered {
  readonly path: string;
  readonly logic: AnyStateMachine;
  readonly input: unknown;
}

function commit(
  walk: Walk,
  machine: AnyStateMachine,
  path: string,
  logic: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  actions: readonly Action[],
  answered?: string,
): void {
  if (snapshot.status === "error") throw snapshot.error;
  const before = walk.state.nodes[path]?.invoked ?? {};
  const awaited = new Set(invokedIn(logic, snapshot).map(({ id }) => id));
  const invoked = Object.fromEntries(
    Object.entries(before).filter(([id, child]) => id !== answered && (awaited.has(id) || isSpawned(child))),
  );
  for (const id of Object.keys(before)) if (invoked[id] === undefined) drop(walk, childPath(path, id));
  const entered = actions.flatMap((action) => take(walk, path, logic, action, invoked, awaited));
  walk.state.nodes[path] = nodeOf(snapshot, invoked);
  walk.live.set(path, snapshot);
  for (const child of entered) enter(walk, machine, child.path, child.logic, child.input);
  if (snapshot.status === "active") return;
  if (path === "") {
    walk.state.status = "done";
    walk.state.output = snapshot.output;
  } else {
    drop(walk, path);
    walk.ended.push({ path, output: snapshot.output });
  }
}

const isSpawned = (child: Invoked): boolean => child.kind === "machine" && child.spawned === true;

/** Take an action as data: an effect to be performed, an event to be told, a nested machine to be entered. */
function take(
  walk: Walk,
  path: string,
  logic: AnyStateMachine,
  { type, params }: Action,
  invoked: Record<string, Invoked>,
  awaited: ReadonlySet<string>,
): Entered[] {
  switch (type) {
    case "xstate.spawnChild": {
      const id = String(params.id);
      const src = String(params.src);
      const child: unknown = logic.implementations.actors[src];
      if (isMachine(child)) {
        invoked[id] = awaited.has(id) ? { kind: "machine", src } : { kind: "machine", src, spawned: true };
        drop(walk, childPath(path, id));
        return [{ path: childPath(path, id), logic: child, input: params.input }];
      }
      const input = params.input as { key: string };
      const effect = { name: src, key: input.key, input } as unknown as Effect;
      invoked[id] = { kind: "effect", effect };
      walk.effects.push(effect);
      return [];
    }
    case "xstate.emit":
      walk.events.push(params.event as RunEvent);
      return [];
    case "xstate.raise":
    case "xstate.stopChild":
    case "forward":
      // Raised events are taken in the same transition; what is stopped is no longer awaited; `send` tells all itself.
      return [];
    default:
      throw new InvariantError(`Cannot step over action \`${type}\`, expected one without a clock or a function`, {
        code: "action-unsupported",
      });
  }
}

/** Take a machine and everything below it out of the state. */
function drop(walk: Walk, path: string): void {
  for (const other of Object.keys(walk.state.nodes)) {
    if (other !== path && !other.startsWith(`${path}/`)) continue;
    delete walk.state.nodes[other];
    walk.live.delete(other);
  }
}

function finish(walk: Walk): Step {
  keepSnapshots(walk.state, walk.live);
  return { state: walk.state, effects: walk.effects, events: walk.events };
}
