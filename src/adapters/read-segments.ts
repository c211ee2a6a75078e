import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isChoice, recordMissing, type Segment, segmentIn, type WholeTurns } from "./journal-segment.ts";
import type { JournalSum } from "./journal-sum.ts";
import { refused } from "./refused.ts";
import { bytesBehind, bytesOfSegment } from "./segment-bytes.ts";

/** How much of a journal is wanted. */
export interface ReadingOptions {
  /** Only find out which run is the latest: nothing of it is read. */
  readonly only?: "run";
  /** Of turns that are over leave out what only they ask for: texts of replies, and how claims were judged. */
  readonly abridged?: boolean;
  /** The sum that may stand for the records before it, of those beside a segment; without it all are read. */
  readonly findSum?: (folder: string, segment: number) => JournalSum | null;
}

/** The segments of one run, oldest first. */
export interface SegmentsReading {
  readonly segments: readonly Segment[];
  /** What stands for the records before those that were read; null when all were. */
  readonly sum: JournalSum | null;
}

export const segmentName = (segment: number): string => `journal-${segment}.ndjson`;

/** The highest number in the names of a folder that fit; 0 without one. */
export function latestIn(folder: string, pattern: RegExp): number {
  if (!existsSync(folder)) return 0;
  const names = refused("read", folder, () => readdirSync(folder));
  return Math.max(0, ...names.map((name) => Number(pattern.exec(name)?.[1] ?? 0)));
}

/**
 * Read the segments of a run; none when it has no journal.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 */
export function readSegments(
  folder: string,
  { abridged = false, findSum = () => null }: ReadingOptions,
): SegmentsReading {
  const count = latestIn(folder, /^journal-(\d+)\.ndjson$/);
  for (let segment = count; segment >= 1; segment--) {
    const sum = findSum(folder, segment);
    const segments = sum === null ? null : readBehind(folder, count, sum, abridged);
    if (segments !== null) return { segments, sum };
  }
  return { segments: inOrder(folder, readAll(folder, count, 1, abridged)), sum: null };
}

/** The segments from one on to the last, each as far as the next one lets it count. */
function readAll(folder: string, count: number, from: number, abridged: boolean): readonly Segment[] {
  const segments: Segment[] = [];
  let isTurnRead = false;
  for (let segment = count; segment >= from; segment--) {
    const path = join(folder, segmentName(segment));
    const bytes = bytesOfSegment(path, limitBy(segments[0]));
    const read = segmentIn(path, bytes, { turns: turnsWanted(abridged, isTurnRead) });
    isTurnRead ||= abridged && read.records.some(isChoice);
    segments.unshift(read);
  }
  return segments;
}

/** All segments, those records left out that a sum stands for; null when it does not fit them. */
function readBehind(folder: string, count: number, sum: JournalSum, abridged: boolean): readonly Segment[] | null {
  const { parts, records } = sum;
  const behind = readAll(folder, count, parts.length + 1, abridged);
  const isTurnRead = behind.some((segment) => segment.records.some(isChoice));
  const segments = [...behind];
  for (const [index, part] of [...parts.entries()].reverse()) {
    const path = join(folder, segmentName(index + 1));
    const bytes = bytesBehind(path, part, limitBy(segments[0]));
    if (bytes === null) return null;
    const segment = segmentIn(path, bytes, { turns: turnsWanted(abridged, isTurnRead) });
    const isLast = index === parts.length - 1;
    // It sums up whole turns, and nothing is left of the segments before.
    if (isLast ? segment.first !== records + 1 || !isChoice(segment.records[0]) : bytes.body.length > 0) return null;
    segments.unshift(segment);
  }
  return inOrder(folder, segments);
}

const limitBy = (next: Segment | undefined): number | undefined => next?.header.after?.bytes;

const turnsWanted = (abridged: boolean, isTurnRead: boolean): WholeTurns =>
  abridged ? (isTurnRead ? "none" : "last") : "all";

/** @throws {InputError} `journal-corrupt` when a record is missing between two segments */
function inOrder(folder: string, segments: readonly Segment[]): readonly Segment[] {
  let next: number | undefined;
  for (const { header, first, records } of segments) {
    if (first === undefined) continue;
    if (first !== (next ?? first)) throw recordMissing(join(folder, segmentName(header.segment)), next ?? first);
    next = first + records.length;
  }
  return segments;
}
