import { InputError } from "../../model/errors.ts";

/**
 * A whole number that is not below `least`.
 *
 * @param option What it was given for, as it was written there; named in the error.
 * @throws {InputError} `bad-number`
 */
export function parseCount(option: string, text: string, least: number): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count) && count >= least) return count;
  throw new InputError(`Cannot use ${option} \`${text}\`, expected a whole number of at least ${least}`, {
    code: "bad-number",
  });
}
