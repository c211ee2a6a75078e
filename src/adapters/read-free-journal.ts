import { statSync } from "node:fs";
import { checkHolder, type JournalReading, readJournal, segmentPath } from "./journal.ts";
import type { ReadingOptions } from "./read-segments.ts";
import { refused } from "./refused.ts";

/**
 * Read the journal of a spec that nobody holds. What a holder has written after it was read, and before it was found
 * dead, counts too.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `spec-locked`, naming the holder; `spec-on-other-host`
 */
export function readFreeJournal(
  base: string,
  options: ReadingOptions & { readonly takeOver: boolean },
): JournalReading {
  for (let torn = ""; ; ) {
    const reading = readJournal(base, options);
    checkHolder(reading, options);
    const last = reading.segments.at(-1);
    if (last === undefined) return reading;
    const path = segmentPath(base, reading.run, reading.segments.length);
    const { size } = refused("look at", path, () => statSync(path));
    if (size === last.bytes || torn === `${path} ${size}`) return reading;
    torn = `${path} ${size}`;
  }
}
