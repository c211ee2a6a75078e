import { clamp } from "./clamp.ts";

/** Code points of an error that are looked at, and characters that are kept of them once what varies is gone. */
const looked = 500;
const kept = 400;

/** What differs between two sights of one error, from the more specific to the less. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g, "<time>"],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?/g, "<time>"],
  [/\b0x[0-9a-f]+\b/gi, "<address>"],
  [/\b(?:\d{1,3}(?:\.\d{1,3}){3}|localhost)(?::\d{1,5})?\b/g, "<address>"],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b(?=[a-f]{0,40}\d)[0-9a-f]{7,64}\b/gi, "<id>"],
  [/\b\d+(?:\.\d+)?[ \t]?(?:ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?|m|hours?|h)\b/g, "<duration>"],
  [/\b((?:duration|elapsed|time|took)(?:_?(?:ms|s|sec|seconds))?[ \t]?[:=]?)[ \t]?\d+(?:\.\d+)?\b/gi, "$1 <duration>"],
  [/(\.[A-Za-z]\w{0,9}):\d+(?::\d+)?/g, "$1"],
  [/(\w):\d+(?::\d+)?(?=:)/g, "$1"],
  [/(\.[A-Za-z]\w{0,9})\(\d+(?:,[ \t]?\d+)?\)/g, "$1"],
  [/\b(lines?|columns?|col)[ \t]\d+(?:[ \t]?-[ \t]?\d+)?/gi, "$1"],
  [/\s+/g, " "],
];

/**
 * A short stable name of an error: equal for two sights of one error whose line numbers, times, addresses, durations
 * or hexadecimal ids differ. Case counts.
 *
 * @returns 16 hexadecimal digits.
 */
export function fingerprint(error: string): string {
  const normal = varying.reduce((text, [sign, name]) => text.replace(sign, name), clamp(error, looked));
  return hash(normal.trim().slice(0, kept));
}

/** FNV-1a over UTF-16 code units, 64 bits. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return value.toString(16).padStart(16, "0");
}
