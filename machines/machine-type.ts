import type { EventObject, MetaObject, ParameterizedObject, StateMachine } from "xstate";
import * as z from "zod";
import { InputError } from "../src/model/errors.ts";
import { interpreted } from "../src/model/parse-json.ts";
import type { PolicyInput } from "../src/model/policy.ts";

interface MachineTypes {
  readonly context: object;
  readonly event: EventObject;
  readonly state: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly emitted?: EventObject;
}

/** Names the type of a machine: the type that XState infers is too long for a declaration. */
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

/**
 * Meaning of a state, for programs that do not know the chart. `busy`: there is work to do. `waiting`: for time or a
 * change. `waitingForPerson`: for an answer. `settled`: the machine has ended.
 */
export type Tag = "busy" | "waiting" | "waitingForPerson" | "settled";

/** Does not validate the policy: `readPolicy` does, and throws `policy-invalid`. */
export const PolicyGiven = z.custom<PolicyInput | undefined>().optional();

/** @throws {InputError} `input-malformed` */
export function checkInput<Input>(machine: string, schema: z.ZodType<Input>, input: unknown): Input {
  const parsed = schema.safeParse(input, interpreted);
  if (parsed.success) return parsed.data;
  const misfits = parsed.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new InputError(`Cannot start the machine \`${machine}\`, expected a valid input: ${misfits.join("; ")}`, {
    code: "input-malformed",
    hint: "docs/machines.md lists the input of each machine",
    cause: parsed.error,
  });
}
