const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;
/** A wait that is said to be longer is not believed. */
const longestMs = 7 * dayMs;

/**
 * When an error says that its cause is over: `try again in 5m30s`, `retry-after: 120`, `resets at` with an ISO 8601 or
 * HTTP date, `limit reached|` with seconds since 1970. A time of day without a zone is not read.
 *
 * @param text What a service or its program said.
 * @param now Milliseconds since 1970.
 * @returns Milliseconds since 1970, at most seven days ahead; null when nothing is said, or something past.
 */
export function readResetTime(text: string, now: number): number | null {
  for (const { index, 0: word } of text.matchAll(announcements)) {
    const start = index + word.length;
    const said = text.slice(start, start + 80).replace(fillers, "");
    const time = readTime(said) ?? now + (readDuration(said) ?? (bareUnits[word.toLowerCase()] ?? noUnit)(said));
    if (isAhead(time, now)) return Math.round(time);
  }
  return null;
}

/** Whether a reset time can be true: not past, and at most seven days ahead. */
export const isAhead = (time: number, now: number): boolean => time > now && time <= now + longestMs;

const announcements =
  /retry[-_ ]?(?:after[-_]ms|after|delay|in)|reset[-_ ]time|resets?[-_ ]?(?:at|in)?|again|wait|until|available|limit reached(?=\|)/gi;

const fillers = /^[\s"'=:(|]{0,8}(?:(?:in|at|on|about|approximately|after|for)[\s"'=:]{1,4}){0,3}/i;

function readTime(said: string): number | null {
  const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:Z|UTC|[+-]\d\d:\d\d)/.exec(said);
  if (iso !== null) return Date.parse(iso[0].replace(/ ?UTC/, "Z").replace(" ", "T"));
  const http = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/.exec(said);
  if (http !== null) return Date.parse(http[0]);
  const epoch = /^(?:\d{13}|\d{10})(?!\d)/.exec(said);
  if (epoch === null) return null;
  return epoch[0].length === 13 ? Number(epoch[0]) : Number(epoch[0]) * secondMs;
}

function readDuration(said: string): number | null {
  let total: number | null = null;
  for (const [part] of said.matchAll(durations)) total = (total ?? 0) + Number.parseFloat(part) * unitMs(part);
  return total;
}

const durations =
  /\d{1,9}(?:\.\d{1,9})? ?(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])[ ,]{0,2}(?:and )?/giy;

function unitMs(part: string): number {
  if (/\d ?(?:ms|milli)/i.test(part)) return 1;
  if (/\d ?s/i.test(part)) return secondMs;
  if (/\d ?m/i.test(part)) return 60 * secondMs;
  return /\d ?h/i.test(part) ? 60 * 60 * secondMs : dayMs;
}

/** A wait that nobody states is one that is over. */
const noUnit = (): number => 0;

const bareNumber = (unitMs: number) => (said: string) => {
  const number = /^\d{1,9}(?=[\s"',;})\]]|$)/.exec(said);
  return number === null ? 0 : Number(number[0]) * unitMs;
};

/** A header has no unit. */
const bareUnits: Readonly<Record<string, (said: string) => number>> = {
  "retry-after": bareNumber(secondMs),
  retry_after: bareNumber(secondMs),
  "retry-after-ms": bareNumber(1),
  retry_after_ms: bareNumber(1),
};
