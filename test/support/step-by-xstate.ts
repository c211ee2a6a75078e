import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { type AnyMachineSnapshot, type AnyStateMachine, initialTransition, transition } from "xstate";
import type { Effect } from "../../src/model/effect.ts";
import type { RunEvent } from "../../src/model/event.ts";
import { report, type Step, send, start } from "../../src/runtime/step.ts";
import type { Invoked, MachineNode, StepState } from "../../src/runtime/step-state.ts";

/** An event that is told to a machine. */
interface Told {
  readonly type: string;
  readonly actorId?: string;
  readonly [detail: string]: unknown;
}

/** What XState asks for in a transition. */
interface Asked {
  readonly id: string;
  readonly src: string;
  readonly input: { readonly key: string };
  readonly event: RunEvent;
}

type Made = readonly [
  snapshot: AnyMachineSnapshot,
  actions: readonly { readonly type: string; readonly params: unknown }[],
];

/** Each transition that was made here: chart, state, event, and the state it has led to. */
export const transitions = new Set<string>();

const done = (id: string, output: unknown) => ({ type: `xstate.done.actor.${id}`, output, actorId: id });
const below = (path: string, id: string): string => (path === "" ? id : `${path}/${id}`);

/** A step over XState's own transitions, with bookkeeping of its own. */
function stepByXState(root: AnyStateMachine, before: StepState) {
  const nodes: Record<string, MachineNode> = { ...before.nodes };
  const state = { ...before, nodes };
  const effects: Effect[] = [];
  const events: RunEvent[] = [];
  const ended: { readonly path: string; readonly output: unknown }[] = [];
  const drop = (path: string): void => {
    for (const other of Object.keys(nodes)) if (`${other}/`.startsWith(`${path}/`)) delete nodes[other];
  };
  const logicAt = (path: string): AnyStateMachine => {
    const ids = path === "" ? [] : path.split("/");
    return ids.reduce((logic, id, index) => {
      const invoked = (nodes[ids.slice(0, index).join("/")] as MachineNode).invoked[id] as { readonly src: string };
      return logic.implementations.actors[invoked.src] as AnyStateMachine;
    }, root);
  };
  const settle = (logic: AnyStateMachine, path: string, [snapshot, actions]: Made, told: Told): void => {
    const value = snapshot.value as string;
    const type = told.type.replace(/\.actor\.\d.*/, ".actor.*");
    transitions.add(`${logic.id} ${nodes[path]?.value ?? "start"} ${type} ${value}`);
    const awaited = logic.root.states[value]?.invoke.map(({ id }) => id) ?? [];
    const invoked: Record<string, Invoked> = {};
    for (const [id, child] of Object.entries(nodes[path]?.invoked ?? {})) {
      const isSpawned = child.kind === "machine" && child.spawned === true;
      if (id !== told.actorId && (isSpawned || awaited.includes(id))) invoked[id] = child;
      else drop(below(path, id));
    }
    const entered: (() => void)[] = [];
    for (const { type: action, params } of actions) {
      const { id, src, input, event } = (params ?? {}) as Asked;
      if (action === "xstate.emit") events.push(event);
      if (action !== "xstate.spawnChild") continue;
      const child = logic.implementations.actors[src] as AnyStateMachine;
      if ("root" in child) {
        invoked[id] = awaited.includes(id) ? { kind: "machine", src } : { kind: "machine", src, spawned: true };
        entered.push(() => enter(child, below(path, id), input));
      } else {
        const effect = { name: src, key: input.key, input } as unknown as Effect;
        invoked[id] = { kind: "effect", effect };
        effects.push(effect);
      }
    }
    nodes[path] = { value, context: snapshot.context, invoked };
    for (const go of entered) go();
    if (snapshot.status !== "done") return;
    if (path === "") {
      Object.assign(state, { status: "done", output: snapshot.output });
      return;
    }
    drop(path);
    ended.push({ path, output: snapshot.output });
  };
  const enter = (logic: AnyStateMachine, path: string, input: unknown): void =>
    settle(logic, path, initialTransition(logic, input as never) as Made, { type: "start" });
  const advance = (path: string, event: Told): void => {
    const node = nodes[path];
    if (node === undefined) return;
    const logic = logicAt(path);
    const { value, context } = node;
    const from = logic.resolveState({ value, context, status: "active" } as never);
    settle(logic, path, transition(logic, from, event as never) as Made, event);
  };
  const finish = (): Step => {
    for (let end = ended.shift(); end !== undefined; end = ended.shift()) {
      const cut = end.path.lastIndexOf("/");
      advance(end.path.slice(0, Math.max(cut, 0)), done(end.path.slice(cut + 1), end.output));
    }
    return { state, effects, events };
  };
  return { enter, advance, finish };
}

/** The functions of a step, each of whose results is compared with that of a step over XState's own transitions. */
export const judged = {
  start: (machine: AnyStateMachine, input: unknown): Step => {
    const theirs = stepByXState(machine, {
      version: 1,
      machine: machine.id,
      status: "active",
      output: null,
      nodes: {},
    });
    theirs.enter(machine, "", input);
    return agree(start(machine, input), theirs.finish());
  },
  report: (machine: AnyStateMachine, state: StepState, key: string, answer: unknown): Step => {
    const theirs = stepByXState(machine, state);
    for (const [path, { invoked }] of Object.entries(state.nodes)) {
      for (const [id, child] of Object.entries(invoked)) {
        if (child.kind === "effect" && child.effect.key === key) theirs.advance(path, done(id, answer));
      }
    }
    return agree(report(machine, state, key, answer as never), theirs.finish());
  },
  send: (machine: AnyStateMachine, state: StepState, event: Told): Step => {
    const theirs = stepByXState(machine, state);
    const paths = Object.keys(state.nodes).sort((one, other) => one.length - other.length);
    for (const path of paths) theirs.advance(path, event);
    return agree(send(machine, state, event as never), theirs.finish());
  },
};

function agree(ours: Step, theirs: Step): Step {
  // Of a hundred thousand steps, only one that differs is told in full.
  if (!isDeepStrictEqual(ours, theirs)) expect(ours).toEqual(theirs);
  return ours;
}
