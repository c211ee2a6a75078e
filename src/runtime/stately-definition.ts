import type { AnyStateMachine } from "xstate";

const known = new WeakMap<AnyStateMachine, string>();

/** As `statelyDefinition` on one line, made once for each machine: a run has many actors of few machines. */
export function keptDefinition(machine: AnyStateMachine): string {
  const definition = known.get(machine) ?? statelyDefinition(machine);
  known.set(machine, definition);
  return definition;
}

/** The definition of a machine as Stately takes it: its configuration as JSON, functions by their names. */
export const statelyDefinition = ({ config }: AnyStateMachine, space?: number): string =>
  JSON.stringify(config, byName, space);

const byName = (_key: string, value: unknown): unknown => (typeof value === "function" ? { type: value.name } : value);
