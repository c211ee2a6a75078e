/** The latest time that a date can hold. Executors may name later times. */
const latest = 8_640_000_000_000_000;

export const isoTime = (time: number): string => dateOf(time).toISOString();

/** Local time such as `18:00`; with the date in front if its day differs from that of `now`. */
export function clockTime(time: number, now: number): string {
  const then = dateOf(time);
  const clock = `${padded(then.getHours())}:${padded(then.getMinutes())}`;
  return dayOf(then) === dayOf(dateOf(now)) ? clock : `${dayOf(then)} ${clock}`;
}

const dateOf = (time: number): Date => new Date(Math.min(time, latest));

const dayOf = (date: Date): string => `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;

const padded = (part: number): string => String(part).padStart(2, "0");

/** Render a duration in milliseconds: `500ms`, `42s`, `3m 12s`, `2h 5m`. */
export function renderDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return join(`${hours}h`, minutes % 60, "m");
  return minutes > 0 ? join(`${minutes}m`, seconds % 60, "s") : `${seconds}s`;
}

const join = (large: string, small: number, unit: string): string => (small === 0 ? large : `${large} ${small}${unit}`);
