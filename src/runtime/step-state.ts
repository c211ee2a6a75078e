import type { AnyStateMachine } from "xstate";
import type { Effect } from "../model/effect.ts";
import { InvariantError } from "../model/errors.ts";

/** Something a machine waits for: an effect, or a nested machine with a node of its own. */
export type Invoked =
  | { readonly kind: "effect"; readonly effect: Effect }
  /** A spawned one belongs to no state: it is waited for until it ends, or the machine does. */
  | { readonly kind: "machine"; readonly src: string; readonly spawned?: true };

/** One running machine. */
export interface MachineNode {
  /** Name of its state. */
  readonly value: string;
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
