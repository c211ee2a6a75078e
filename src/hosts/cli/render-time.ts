/** The latest time that a date can hold: executors name times of their own. */
const latest = 8_640_000_000_000_000;

/** A time in milliseconds since 1970 as ISO 8601. */
export const isoTime = (time: number): string => dateOf(time).toISOString();

/** The same on the clock of this place, as `18:00`; with the date in front on any other day than that of `now`. */
export function clockTime(time: number, now: number): string {
  const then = dateOf(time);
  const clock = `${padded(then.getHours())}:${padded(then.getMinutes())}`;
  return dayOf(then) === dayOf(dateOf(now)) ? clock : `${dayOf(then)} ${clock}`;
}

const dateOf = (time: number): Date => new Date(Math.min(time, latest));

const dayOf = (date: Date): string => `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;

const padded = (part: number): string => String(part).padStart(2, "0");
