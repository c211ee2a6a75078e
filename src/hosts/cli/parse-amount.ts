import { InputError } from "../../model/errors.ts";

/**
 * An amount of money above zero, e.g. `5` or `2.50`.
 *
 * @param option What it was given for, as it was written there; named in the error.
 * @throws {InputError} `bad-number`
 */
export function parseAmount(option: string, text: string): number {
  const amount = /^\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (amount > 0) return amount;
  throw new InputError(`Cannot use ${option} \`${text}\`, expected an amount in US dollars above 0, such as \`2.50\``, {
    code: "bad-number",
  });
}
