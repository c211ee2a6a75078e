import type { AnyMachineSnapshot, AnyStateMachine, StateValue } from "xstate";
import type { Effect } from "../model/effect.ts";
import { InvariantError } from "../model/errors.ts";

/** Something a machine waits for: an effect, or a nested machine with a node of its own. */
export type Invoked =
  | { readonly kind: "effect"; readonly effect: Effect }
  /** A spawned one belongs to no state: it is waited for until it ends, or the machine does. */
  | { readonly kind: "machine"; readonly src: string; readonly spawned?: true };

/** One running machine. */
export interface MachineNode {
  /** Name of its state, or nested names. */
  readonly value: unknown;
  readonly context: unknown;
  readonly invoked: Readonly<Record<string, Invoked>>;
}

/** A machine between two steps, with the machines nested in it. Plain JSON. */
export interface StepState {
  readonly version: 1;
  /** Id of the machine it belongs to. */
  readonly machine: string;
  readonly status: "active" | "done";
  /** The machine's output once it is done, else null. */
  readonly output: unknown;
  /** By path: `""` is the machine itself, `task` one it has invoked. */
  readonly nodes: Readonly<Record<string, MachineNode>>;
}

/** Snapshots of states that were made in this process; restoring one costs more than keeping it. */
const liveSnapshots = new WeakMap<StepState, Map<string, AnyMachineSnapshot>>();

export const isMachine = (logic: unknown): logic is AnyStateMachine =>
  typeof logic === "object" && logic !== null && "getStateNodeById" in logic;

/** Path of a machine that the one at `path` has invoked. */
export const childPath = (path: string, id: string): string => (path === "" ? id : `${path}/${id}`);

/** The machine that runs at a path. */
export function machineAt(machine: AnyStateMachine, state: StepState, path: string): AnyStateMachine {
  let logic = machine;
  let at = "";
  for (const id of path === "" ? [] : path.split("/")) {
    const invoked = state.nodes[at]?.invoked[id];
    const child: unknown = invoked?.kind === "machine" ? logic.implementations.actors[invoked.src] : undefined;
    if (!isMachine(child)) {
      throw new InvariantError(`Cannot find the machine at \`${path}\`, expected \`${logic.id}\` to have invoked it`, {
        code: "machine-missing",
      });
    }
    logic = child;
    at = childPath(at, id);
  }
  return logic;
}

/** What is stored of a snapshot. */
export const nodeOf = (snapshot: AnyMachineSnapshot, invoked: MachineNode["invoked"]): MachineNode => ({
  value: snapshot.value,
  context: snapshot.context,
  invoked,
});

/** The snapshots of a state that were kept, by path: a map of the caller's own. */
export const keptSnapshots = (state: StepState): Map<string, AnyMachineSnapshot> => new Map(liveSnapshots.get(state));

/** Keep the snapshots of a state for the steps from it. */
export const keepSnapshots = (state: StepState, live: Map<string, AnyMachineSnapshot>): void => {
  liveSnapshots.set(state, live);
};

/** The snapshot of the machine at a path, restored from what is stored of it. */
export function snapshotAt(state: StepState, path: string, logic: AnyStateMachine): AnyMachineSnapshot {
  const { value, context } = state.nodes[path] as MachineNode;
  return logic.resolveState({ value: value as never, context, status: "active" } as never) as AnyMachineSnapshot;
}

type StateNode = AnyStateMachine["root"];

/** What the states invoke that a machine is in. */
export const invokedIn = (machine: AnyStateMachine, { value }: AnyMachineSnapshot): StateNode["invoke"] =>
  statesIn(machine.root, value).flatMap(({ invoke }) => invoke);

/** A state with those in it that a value names. */
const statesIn = (node: StateNode, value: StateValue): StateNode[] => [
  node,
  ...Object.entries(typeof value === "string" ? { [value]: {} } : value).flatMap(([key, inner = {}]) =>
    statesIn(node.states[key] as StateNode, inner),
  ),
];
