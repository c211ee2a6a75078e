import { join } from "node:path";
import * as z from "zod";
import { readRegular } from "./files/own-file.ts";
import { refused } from "./files/refused.ts";
import { draftPath, writeAtomic } from "./files/write-atomic.ts";
import { openLine, parseBody, sealLine } from "./journal-line.ts";
import type { SegmentPart } from "./segment-bytes.ts";

/** How far a journal reaches. */
export interface JournalReach {
  /** Of each segment of the run, oldest first. */
  readonly parts: readonly SegmentPart[];
  /** Records in them. */
  readonly records: number;
}

/**
 * What the records of a run come to up to the beginning of a turn, kept beside the segment that this stands in: a start
 * reads the records behind it only. The journal stays the truth: a sum that does not fit it, or is of another version,
 * counts for nothing, and who wants to look at a run reads all of it.
 */
export interface JournalSum extends JournalReach {
  readonly version: number;
  /** As it was given, as plain JSON. */
  readonly state: unknown;
}

const Sum = z.object({
  version: z.int(),
  parts: z.array(z.object({ bytes: z.int().min(1), crc: z.int() })),
  records: z.int().min(0),
  state: z.unknown(),
});

const sumName = (segment: number): string => `sum-${segment}.json`;

/**
 * Keep a sum over the one that was kept for its segment before.
 *
 * @param check Called right before that is replaced; throws when it must stay.
 */
export function writeSum(folder: string, sum: JournalSum, check = () => {}): void {
  const name = sumName(sum.parts.length);
  const path = join(folder, name);
  refused("write", path, () => {
    check();
    // One that a power cut tears is not opened.
    writeAtomic(path, sealLine(sum), { temporary: draftPath(folder, name), durable: false, check });
  });
}

/** The sum that is kept beside a segment; null without a whole one of this version. */
export function readSum(folder: string, segment: number, version: number): JournalSum | null {
  try {
    const line = readRegular(join(folder, sumName(segment)));
    const body = line === null ? undefined : openLine(line.subarray(0, -1));
    const sum = body === undefined ? null : Sum.parse(parseBody(body.toString("utf8")));
    return sum?.version === version && sum.parts.length === segment ? sum : null;
  } catch {
    return null;
  }
}
