/** The first `max` code points of a text. */
export const clamp = (text: string, max: number): string =>
  text.length <= max ? text : [...text.slice(0, 2 * max)].slice(0, max).join("");

/** Cut a text to one line of at most `max` code points, at the end of a word and with an ellipsis. */
export function shorten(text: string, max: number): string {
  const line = clamp(text, 20 * max)
    .replace(/\s+/g, " ")
    .trim();
  const start = clamp(line, max);
  if (start === line) return line;
  const end = start.lastIndexOf(" ");
  return `${end < max / 2 ? clamp(line, max - 1) : start.slice(0, end)}…`;
}

/** Last texts of a list with at most `max` characters together. */
export function lastOf(texts: readonly string[], max: number): readonly string[] {
  let left = max;
  const before = texts.findLastIndex((text) => {
    left -= text.length;
    return left < 0;
  });
  return texts.slice(before + 1);
}

/** Join the first names of a list, and count the others. */
export const someOf = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;

/** A number with its noun: `1 attempt`, `3 attempts`, `2 fixes`. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/**
 * Matches whole terminal escape sequences, since a partly removed sequence leaves readable characters. Matching takes
 * linear time.
 */
export const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for these
  /[\u001B\u009B](?:\][^\u0007\u001B\u009B]*(?:\u0007|\u001B\\|$)|[PX^_][^\u001B\u009B]*(?:\u001B\\|$)|\[?[0-9;:?<=>]*[ -/]*[@-~])/g;

/**
 * Hash a text to compare it with others; not for security.
 *
 * @returns 8 hex digits: FNV-1a over UTF-16 code units.
 */
export function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}

/** Maximum length of the examined start of an error, in code points. */
const looked = 500;
/** Maximum number of characters to hash, after varying parts are replaced. */
const kept = 400;

/** Parts of an error that vary from run to run; specific patterns come first. */
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
 * Fingerprint of an error. It ignores line numbers, times, addresses, durations and hex ids, but not the case of
 * letters.
 *
 * @returns 16 hex digits.
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

/**
 * Find the known name that a misspelled or shortened name probably means.
 *
 * @param farthest Maximum edit distance for a name of this length.
 */
export function nearestName(
  name: string,
  known: readonly string[],
  farthest = (length: number): number => Math.max(2, length * 0.25),
): string | undefined {
  const typed = name.slice(0, 64).toLowerCase();
  const [nearest] = known
    .map((candidate) => ({ candidate, far: distance(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= farthest(candidate.length))
    .sort((one, other) => one.far - other.far);
  return nearest?.candidate;
}

/** Edit distance, less for a name of the same length; 0 for a longer name that begins with the typed text. */
const distance = (typed: string, known: string): number =>
  typed.length > 2 && known.startsWith(typed)
    ? 0
    : editDistance(typed, known) - (typed.length === known.length ? 0.5 : 0);

/** Count the letters to replace, insert, remove, or swap with the next one. */
export function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column += 1) {
      const isSame = from[index] === to[column];
      const isSwapped = from[index] === to[column - 1] && from[index - 1] === to[column];
      const replaced = (row[column] as number) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before[column - 1] as number) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[column + 1] as number) + 1, (next[column] as number) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) as number;
}

const nothing = /^[^\p{L}\p{N}]*(?:(?:none|nothing|n\/a)[^\p{L}\p{N}]*)?$/iu;

/** Whether a text is empty, or only says that there is nothing: `none`, `N/A`. */
export const saysNothing = (text: string): boolean => nothing.test(text);
