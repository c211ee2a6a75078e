import { renameSync, statSync } from "node:fs";
import { checkDataFolder } from "../files/data-folder.ts";
import { refused } from "../files/refused.ts";
import { checkHolder, checkProcess } from "./holder.ts";
import { type JournalReading, latestRun, latestSegment, readJournal, runFolder, segmentPath } from "./read-journal.ts";
import { claimantsOf } from "./segment-claim.ts";

interface FreeOptions {
  /** Whether to assume that a holder on another machine is gone. */
  readonly takeOver: boolean;
  /** Whether all records are read, though a snapshot stands for the first of them; they are when not given. */
  readonly whole?: boolean;
}

/**
 * Read the journal of a spec that nobody holds. Records that a holder wrote after the first reading, before it was
 * found dead, count too.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `spec-locked`, naming the holder; `spec-on-other-host`; `file-refused`
 */
export function readFreeJournal(base: string, options: FreeOptions): JournalReading {
  for (let torn = ""; ; ) {
    settleClaim(base, options);
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

/**
 * Write the segment that a killed start has created and left empty, with the content it would have had, so that every
 * process that does this writes the same.
 */
function settleClaim(base: string, options: FreeOptions): void {
  checkDataFolder(base);
  const run = latestRun(base);
  const segment = run === 0 ? 0 : latestSegment(runFolder(base, run));
  if (segment === 0) return;
  const path = segmentPath(base, run, segment);
  const claimants = claimantsOf(path);
  for (const { header } of claimants) checkProcess(header, options);
  const [first] = claimants;
  if (first !== undefined) refused("write", path, () => putInPlace(first.draft, path));
}

/** Another start that does the same may have been faster. */
function putInPlace(draft: string, path: string): void {
  try {
    renameSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
