import { type AnyActorRef, type AnyMachineSnapshot, type AnyStateMachine, type Observer, toObserver } from "xstate";
import { InputError } from "../model/errors.ts";
import type { MachineMove } from "./step.ts";
import { isMachine } from "./step-state.ts";

/** A machine or an effect of a run in the form of the reference to an actor, for whoever inspects it. It is only seen. */
export interface InspectedRef {
  readonly id: string;
  readonly sessionId: string;
  readonly src: unknown;
  /** Undefined for an effect. */
  readonly logic: AnyStateMachine | undefined;
  readonly _parent: InspectedRef | undefined;
  readonly isSpawned: boolean;
  getSnapshot(): unknown;
  /** Show a snapshot to whoever has subscribed. */
  readonly show: (snapshot: unknown) => void;
}

interface Made {
  readonly id: string | undefined;
  readonly src: unknown;
  readonly logic: AnyStateMachine | undefined;
  readonly parent: InspectedRef | undefined;
  readonly isSpawned?: boolean;
}

/** @param sessionId One that no other actor of the run has. */
export function inspectedRef(
  sessionId: string,
  { id = sessionId, src, logic, parent, isSpawned = false }: Made,
): InspectedRef {
  const observers = new Set<Observer<unknown>>();
  let snapshot: unknown = { status: "active" };
  const ref = {
    ...{ id, sessionId, src, logic, _parent: parent, isSpawned },
    systemId: undefined,
    getSnapshot: () => snapshot,
    getPersistedSnapshot: () => snapshot,
    show: (next: unknown) => {
      snapshot = next;
      for (const { next: see } of observers) see?.(next);
    },
    subscribe: (...given: Parameters<typeof toObserver>) => {
      const observer = toObserver(...given) as Observer<unknown>;
      observers.add(observer);
      return { unsubscribe: () => void observers.delete(observer) };
    },
    on: () => ({ unsubscribe: () => {} }),
    send: () => {
      throw new InputError("Cannot send to an actor of a run that is inspected, expected `control` to be told", {
        code: "inspected-only",
        hint: "Say it to the run: runSpec({ control: createRunControl() })",
      });
    },
    toJSON: () => ({ xstate$$type: 1, id }),
  };
  return ref;
}

/** The snapshot that a native actor would have. */
export function snapshotOf(
  logic: AnyStateMachine,
  { node, isDone, output }: Pick<MachineMove, "node" | "isDone" | "output">,
  children: Readonly<Record<string, InspectedRef>>,
): AnyMachineSnapshot {
  const { value, context } = node;
  const status = isDone ? "done" : "active";
  const made = logic.resolveState({ value, context: context as object, status, output });
  return Object.assign(made, { children: children as unknown as Record<string, AnyActorRef> });
}

/** What was invoked as a machine; undefined for an effect. */
export function machineFor(logic: AnyStateMachine, src: string): AnyStateMachine | undefined {
  const child: unknown = logic.implementations.actors[src];
  return isMachine(child) ? child : undefined;
}
