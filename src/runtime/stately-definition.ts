import type { AnyStateMachine } from "xstate";

const known = new WeakMap<AnyStateMachine, string>();

/** Like `statelyDefinition`, on one line and cached per machine: a run has many actors of few machines. */
export function keptDefinition(machine: AnyStateMachine): string {
  const definition = known.get(machine) ?? statelyDefinition(machine);
  known.set(machine, definition);
  return definition;
}

/** The definition of a machine for Stately: its configuration as JSON, with functions by name. */
export const statelyDefinition = ({ config }: AnyStateMachine, space?: number): string =>
  JSON.stringify(config, byName, space);

const byName = (_key: string, value: unknown): unknown => (typeof value === "function" ? { type: value.name } : value);
