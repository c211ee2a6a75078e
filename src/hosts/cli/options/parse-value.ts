import { InputError } from "../../../model/errors.ts";

// `option` is the option as the user typed it, for the error.

/**
 * Parse a whole number of at least `least`, and at most `most`.
 *
 * @throws {InputError} `bad-number`
 */
export function parseCount(option: string, text: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  const fits = Number.isSafeInteger(count) && count >= least && count <= most;
  return known(
    fits ? count : null,
    option,
    text,
    most < Number.MAX_SAFE_INTEGER ? `a whole number from ${least} to ${most}` : `a whole number of at least ${least}`,
  );
}

/**
 * Parse an amount of money above zero, e.g. `5` or `2.50`.
 *
 * @throws {InputError} `bad-number`
 */
export function parseAmount(option: string, text: string): number {
  const amount = /^\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : 0;
  return known(amount > 0 ? amount : null, option, text, "an amount in US dollars above 0, such as `2.50`");
}

/**
 * Parse a number of tokens above zero, e.g. `200000`, `200k` or `1.5m`.
 *
 * @throws {InputError} `bad-number`
 */
export const parseTokens = (option: string, text: string): number =>
  known(countIn(text, thousands), option, text, "a whole number of tokens, such as `200k` or `2m`");

/**
 * Parse a number of bytes above zero, e.g. `1000000`, `256m` (MiB) or `1.5g` (GiB).
 *
 * @throws {InputError} `bad-number`
 */
export const parseSize = (option: string, text: string): number =>
  known(countIn(text, binary), option, text, "a whole number of bytes, such as `256m` (MiB) or `10g` (GiB)");

function known(value: number | null, option: string, text: string, expected: string): number {
  if (value !== null) return value;
  throw new InputError(`Cannot use ${option} \`${text}\`, expected ${expected}`, { code: "bad-number" });
}

/**
 * Parse a positive number with one of the `units`, in upper or lower case; null if the text has another form or the
 * result is not whole.
 */
function countIn(text: string, units: ReadonlyMap<string, number>): number | null {
  const [, count, unit = ""] = /^(\d{1,15}(?:\.\d{1,6})?)([a-z]?)$/i.exec(text) ?? [];
  const whole = Number(count) * (units.get(unit.toLowerCase()) ?? 0);
  return Number.isSafeInteger(whole) && whole >= 1 ? whole : null;
}

const thousands = new Map([
  ["", 1],
  ["k", 1000],
  ["m", 1_000_000],
]);

const binary = new Map([
  ["", 1],
  ["k", 1024],
  ["m", 1024 ** 2],
  ["g", 1024 ** 3],
]);

/** Check that a text is not blank, and return it unchanged. @throws {InputError} `bad-option` */
export function parseText(option: string, text: string): string {
  if (text.trim() !== "") return text;
  throw new InputError(`Cannot use ${option} \`${text}\`, expected some text`, { code: "bad-option" });
}

const unitMs = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);
// Timers count milliseconds in 31 bits: a timer with a longer duration would fire at once.
const longestHours = 596;

export const durationForm = `a duration such as \`90s\`, \`30m\`, \`2h\` or \`500ms\`, of at most ${longestHours}h`;

export function durationMs(text: string): number | null {
  const [, count, unit] = /^(\d{1,12})(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs.get(unit ?? "") ?? 0);
  return ms >= 1 && ms <= longestHours * 3_600_000 ? ms : null;
}

/**
 * Parse a duration such as `90s` to milliseconds.
 *
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
