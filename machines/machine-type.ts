import type { EventObject, MetaObject, ParameterizedObject, StateMachine } from "xstate";

interface MachineTypes {
  readonly context: object;
  readonly event: EventObject;
  readonly state: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly emitted?: EventObject;
}

/** The type of a machine, by name: the type that XState infers is too long for a declaration. */
export type Machine<Types extends MachineTypes> = StateMachine<
  Types["context"],
  Types["event"],
  // biome-ignore lint/suspicious/noExplicitAny: children of every kind
  Record<string, any>,
  // biome-ignore lint/suspicious/noExplicitAny: nothing can be provided that goes past the records
  any,
  ParameterizedObject,
  ParameterizedObject,
  string,
  Types["state"],
  Tag,
  Types["input"],
  Types["output"],
  Types["emitted"] extends EventObject ? Types["emitted"] : EventObject,
  MetaObject,
  object
>;

/** Meaning of a state for programs that do not know the chart. */
export type Tag = "busy" | "waiting" | "waitingForPerson" | "settled";
