import { existsSync } from "node:fs";
import type { TimedRunRecord } from "../../model/record.ts";
import { type Stamp, sameStamp, stampOf } from "../files/own-file.ts";
import { readSegment, type SegmentHeader, segmentIn } from "./journal-segment.ts";
import { latestRun, readJournal, segmentPath } from "./read-journal.ts";
import { bytesBehind, partOf, type SegmentPart } from "./segment-bytes.ts";

interface GrowingSegment {
  readonly header: SegmentHeader;
  /** This list stays the same object; new records are appended to it. */
  readonly records: TimedRunRecord[];
}

export interface FollowedJournal {
  readonly run: number;
  readonly segments: readonly GrowingSegment[];
  /**
   * Read new records since the last call.
   *
   * @returns `anew` if all was read again, because the journal was cut or replaced, or a new run began.
   * @throws The errors of `readJournal`.
   */
  look(): "same" | "more" | "anew";
}

/**
 * Follow the journal of a spec. Each call of `look` reads only new records. If the last record is no longer at its
 * place, the journal was cut or replaced, and is read again as a whole.
 *
 * @param base The spec's folder of run data.
 */
export function followJournal(base: string): FollowedJournal {
  let newest = -1;
  let run = 0;
  let segments: GrowingSegment[] = [];
  let part: SegmentPart | null = null;
  let stamp: Stamp | undefined;
  let next = 1;

  const pathNow = (): string => segmentPath(base, run, segments.length);
  const readAnew = (): "anew" => {
    newest = latestRun(base);
    const reading = readJournal(base);
    run = reading.run;
    segments = reading.segments.map(({ header, records }) => ({ header, records: [...records] }));
    next = reading.records.length + 1;
    const last = reading.segments.at(-1);
    stamp = last === undefined ? undefined : stampOf(pathNow());
    part = last === undefined ? null : partOf(pathNow(), last.bytes);
    return "anew";
  };
  /**
   * Read the rest of the last segment.
   *
   * @returns Number of new records; null if the segment was changed.
   */
  const grow = (limit?: number): number | null => {
    const path = pathNow();
    const now = stampOf(path);
    if (part === null) return null;
    if (now !== undefined && sameStamp(stamp, now) && limit === undefined) return 0;
    const bytes = bytesBehind(path, part, limit);
    if (bytes === null) return null;
    const { records, first = next, bytes: end } = segmentIn(path, bytes);
    if (first !== next) return null;
    if (records.length > 0) part = partOf(path, end);
    stamp = now;
    for (const record of records) segments.at(-1)?.records.push(record);
    next += records.length;
    return records.length;
  };
  const goOn = (): "same" | "more" | null => {
    if (segments.length === 0 || latestRun(base) !== newest) return null;
    // Stay with this run until the newer run has a journal, which is created after its folder.
    if (run !== newest && existsSync(segmentPath(base, newest, 1))) return null;
    let hasMore = false;
    for (;;) {
      const path = segmentPath(base, run, segments.length + 1);
      const begun = existsSync(path) ? readSegment(path) : null;
      const limit = begun?.header.after?.bytes;
      const count = grow(limit);
      if (count === null) return null;
      hasMore ||= count > 0 || begun !== null;
      if (begun === null) return hasMore ? "more" : "same";
      if (limit !== part?.bytes || (begun.first ?? next) !== next) return null;
      segments.push({ header: begun.header, records: [...begun.records] });
      next += begun.records.length;
      stamp = undefined;
      part = partOf(path, begun.bytes);
    }
  };
  return {
    get run() {
      return run;
    },
    get segments() {
      return segments;
    },
    look: () => {
      if (newest === 0 && latestRun(base) === 0) return "same";
      try {
        return goOn() ?? readAnew();
      } catch {
        // Read everything again, which reports the problem.
        return readAnew();
      }
    },
  };
}
