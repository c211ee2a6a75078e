interface Wall {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Maximum age of a time of day that is read as today's time and not as tomorrow's, since clocks differ. */
const justPastMs = 15 * minuteMs;

const time = /^(\d{1,2})(?::(\d\d))?(?::\d\d)?(?: ?([ap])\.?m\b\.?)?/i;
const zone = /^[\s(,]{0,3}\b([A-Z][A-Za-z_]{1,30}(?:\/[A-Za-z0-9_+-]{1,30}){1,2}|UTC|GMT|Z)\b/;
const isoDay = /^(\d{4})-(\d\d)-(\d\d)[T ,]{1,2}(?:at )?/;
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const monthDay = /^([a-z]{3})[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?:,? at|,)? /i;
const weekdays = "sun mon tue wed thu fri sat".split(" ");
const weekday = /^([a-z]{3})[a-z]{0,6}(?:,? at|,)? /i;
const nearDay = /^(today|tomorrow)(?:,? at|,)? /i;

/**
 * Parse a clock time as programs print it for the end of a limit: `9pm (Europe/Paris)`, `14:30`, `Oct 6 at 9:15 am`,
 * `tomorrow 09:00 UTC`, `Mon 8am`. A time without a day is the next time of that kind; a time without a zone is in the
 * zone of this machine. Daylight saving is respected.
 *
 * @param now Milliseconds since 1970.
 * @returns Milliseconds since 1970; null for other text, an impossible time or an unknown zone.
 */
export function readClockTime(said: string, now: number): number | null {
  const day = readDay(said);
  const found = time.exec(said.slice(day.length));
  if (found === null) return null;
  const [read, hours = "", minutes, half] = found;
  if (minutes === undefined && half === undefined) return null;
  const [hour, minute] = [hourOf(Number(hours), half), Number(minutes ?? 0)];
  if (hour === null || minute > 59) return null;
  const named = zone.exec(said.slice(day.length + read.length))?.[1] ?? null;
  const clock = clockIn(named);
  return clock === null ? null : day.find({ clock, now, hour, minute });
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour < 24 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
}

interface Moment {
  readonly clock: Clock;
  readonly now: number;
  readonly hour: number;
  readonly minute: number;
}

interface Day {
  readonly length: number;
  readonly find: (moment: Moment) => number | null;
}

function readDay(said: string): Day {
  const iso = isoDay.exec(said);
  if (iso !== null) {
    const [year, month, day] = iso.slice(1).map(Number) as [number, number, number];
    return { length: iso[0].length, find: on({ year, month, day }) };
  }
  const date = monthDay.exec(said);
  const month = months.indexOf(date?.[1]?.toLowerCase() ?? "") + 1;
  if (date !== null && month > 0) {
    const year = date[3] === undefined ? null : Number(date[3]);
    return { length: date[0].length, find: on({ year, month, day: Number(date[2]) }) };
  }
  const near = nearDay.exec(said);
  if (near !== null) {
    const ahead = near[1]?.toLowerCase() === "tomorrow" ? 1 : 0;
    return { length: near[0].length, find: (moment) => after(moment, ahead) };
  }
  const named = weekday.exec(said);
  const wanted = weekdays.indexOf(named?.[1]?.toLowerCase() ?? "");
  if (named !== null && wanted >= 0) {
    return { length: named[0].length, find: (moment) => nextOf(moment, (wall) => weekdayOf(wall) === wanted) };
  }
  return { length: 0, find: (moment) => nextOf(moment, () => true) };
}

const on =
  (given: { readonly year: number | null; readonly month: number; readonly day: number }) =>
  ({ clock, now, hour, minute }: Moment): number | null => {
    const year = given.year ?? clock.wallAt(now).year;
    const at = clock.timeOf({ ...given, year, hour, minute });
    // In December, a day in January belongs to the next year.
    return given.year === null && at < now - justPastMs ? clock.timeOf({ ...given, year: year + 1, hour, minute }) : at;
  };

const after = ({ clock, now, hour, minute }: Moment, days: number): number => {
  const { year, month, day } = clock.wallAt(now);
  return clock.timeOf({ year, month, day: day + days, hour, minute });
};

/** The next moment with this time of day on a day that fits; one minute from now if such a moment has just passed. */
function nextOf(moment: Moment, fits: (wall: Wall) => boolean): number | null {
  for (let days = 0; days <= 7; days++) {
    const at = after(moment, days);
    if (!fits(moment.clock.wallAt(at))) continue;
    if (at > moment.now) return at;
    if (at > moment.now - justPastMs) return moment.now + minuteMs;
  }
  return null;
}

const weekdayOf = ({ year, month, day }: Wall): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay();

interface Clock {
  readonly wallAt: (time: number) => Wall;
  /**
   * Milliseconds since 1970. A wall time that a clock change skips counts as one hour later; of a repeated wall time,
   * the first moment counts.
   */
  readonly timeOf: (wall: Wall) => number;
}

/** The clock of an IANA time zone, or of this machine if `name` is null. Null for an unknown zone. */
function clockIn(name: string | null): Clock | null {
  const numeric = { hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" } as const;
  let format: Intl.DateTimeFormat;
  try {
    const timeZone = name === null ? undefined : name === "Z" ? "UTC" : name;
    format = new Intl.DateTimeFormat("en-US", { ...numeric, hour: "numeric", minute: "numeric", timeZone });
  } catch {
    return null;
  }
  const wallAt = (at: number): Wall => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return parts as unknown as Wall;
  };
  const offsetAt = (at: number): number => utcOf(wallAt(at)) - Math.floor(at / minuteMs) * minuteMs;
  const timeOf = (wall: Wall): number => {
    const wanted = utcOf(wall);
    const [before, behind] = [offsetAt(wanted - dayMs), offsetAt(wanted + dayMs)];
    const hits = [before, behind].map((offset) => wanted - offset).filter((at) => utcOf(wallAt(at)) === wanted);
    return hits.length > 0 ? Math.min(...hits) : wanted - before;
  };
  return { wallAt, timeOf };
}

const utcOf = ({ year, month, day, hour, minute }: Wall): number => Date.UTC(year, month - 1, day, hour, minute);
