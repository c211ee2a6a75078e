import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { openLine, parseBody, sealLine } from "./journal-line.ts";
import { refused } from "./refused.ts";
import type { SegmentPart } from "./segment-bytes.ts";
import { writeAtomic } from "./write-atomic.ts";

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

const sumPath = (folder: string, segment: number): string => join(folder, `sum-${segment}.json`);

/** Keep a sum over the one that was kept for its segment before. */
export function writeSum(folder: string, sum: JournalSum): void {
  const path = sumPath(folder, sum.parts.length);
  // One that a power cut tears is not opened.
  refused("write", path, () => writeAtomic(path, sealLine(sum), { temporary: `${path}.tmp`, durable: false }));
}

/** The sum that is kept beside a segment; null without a whole one of this version. */
export function readSum(folder: string, segment: number, version: number): JournalSum | null {
  try {
    const line = readFileSync(sumPath(folder, segment));
    const body = openLine(line.subarray(0, -1));
    const sum = body === undefined ? null : Sum.parse(parseBody(body.toString("utf8")));
    return sum?.version === version && sum.parts.length === segment ? sum : null;
  } catch {
    return null;
  }
}
