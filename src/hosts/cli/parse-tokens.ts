import { InputError } from "../../model/errors.ts";

const units = new Map([
  ["", 1],
  ["k", 1000],
  ["m", 1_000_000],
]);

/**
 * A number of tokens above zero, e.g. `200000`, `200k` or `1.5m`.
 *
 * @param option What it was given for, as it was written there; named in the error.
 * @throws {InputError} `bad-number`
 */
export function parseTokens(option: string, text: string): number {
  const [, count, unit = ""] = /^(\d{1,15}(?:\.\d{1,6})?)([km]?)$/i.exec(text) ?? [];
  const tokens = Number(count) * (units.get(unit.toLowerCase()) ?? 0);
  if (Number.isSafeInteger(tokens) && tokens >= 1) return tokens;
  throw new InputError(
    `Cannot use ${option} \`${text}\`, expected a whole number of tokens, such as \`200k\` or \`2m\``,
    {
      code: "bad-number",
    },
  );
}
