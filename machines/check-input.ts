import * as z from "zod";
import { InputError } from "../src/model/errors.ts";
import { interpreted } from "../src/model/interpreted.ts";
import type { PolicyInput } from "../src/model/policy.ts";

/** Policy of an input, not validated here: `readPolicy` throws `policy-invalid`. */
export const PolicyGiven = z.custom<PolicyInput | undefined>().optional();

/**
 * Validate the input of a machine.
 *
 * @throws {InputError} `input-malformed`
 */
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
