/**
 * A time of day that a tool on this machine announces in its zone, as `try again at 6:31 AM` or
 * `try again at Aug 20th, 2026 11:50 AM`.
 *
 * @param now Milliseconds since 1970.
 * @returns Milliseconds since 1970; a time without a date is the next one. Null when none is announced.
 */
export function readLocalTime(text: string, now: number): number | null {
  const said = announcement.exec(text)?.groups;
  if (said === undefined) return null;
  const { date, year, clock } = said;
  const today = new Date(now);
  if (date !== undefined) return timeOf(`${date} ${year} ${clock}`);
  const time = timeOf(`${today.toDateString()} ${clock}`);
  return time === null || time > now ? time : new Date(time).setDate(today.getDate() + 1);
}

const announcement =
  /again at (?:(?<date>[A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th)?, (?<year>\d{4}) )?(?<clock>\d{1,2}:\d\d [AP]M)/;

function timeOf(text: string): number | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
