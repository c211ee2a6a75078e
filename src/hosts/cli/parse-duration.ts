import { InputError } from "../../model/errors.ts";

const unitMs = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);
// Timers count milliseconds in 31 bits: a longer one would fire at once.
const longestHours = 596;

export const durationForm = `a duration such as \`90s\`, \`30m\`, \`2h\` or \`500ms\`, of at most ${longestHours}h`;

/** Milliseconds of a duration such as `90s`; null when it is none. */
export function durationMs(text: string): number | null {
  const [, count, unit] = /^(\d{1,12})(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs.get(unit ?? "") ?? 0);
  return ms >= 1 && ms <= longestHours * 3_600_000 ? ms : null;
}

/**
 * Milliseconds of a duration such as `90s`.
 *
 * @param option What it was given for, as it was written there; named in the error.
 * @throws {InputError} `bad-duration`
 */
export function parseDuration(option: string, text: string): number {
  const ms = durationMs(text);
  if (ms !== null) return ms;
  throw new InputError(`Cannot use ${option} \`${text}\`, expected ${durationForm}`, {
    code: "bad-duration",
    hint: "Write a whole number and its unit without a space",
  });
}
