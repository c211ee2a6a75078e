import type { AnyStateMachine } from "xstate";

/** The definition of a machine as Stately takes it: its configuration as JSON, functions by their names. */
export const statelyDefinition = ({ config }: AnyStateMachine, space?: number): string =>
  JSON.stringify(config, byName, space);

const byName = (_key: string, value: unknown): unknown => (typeof value === "function" ? { type: value.name } : value);
