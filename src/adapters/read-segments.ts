import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isRealFolder, runName } from "./files/data-folder.ts";
import { refused } from "./files/refused.ts";
import { journalCorrupt, recordMissing } from "./journal-corrupt.ts";
import { isChoice, type Segment, type SegmentHeader, segmentIn, type WholeTurns } from "./journal-segment.ts";
import type { JournalSum } from "./journal-sum.ts";
import { bytesBehind, bytesOfSegment } from "./segment-bytes.ts";
import { claimantsOf } from "./segment-claim.ts";

/** How much of a journal is wanted. */
export interface ReadingOptions {
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

/** The number of a file of the journal in the folder of a run, from 1. */
const segmentPattern = /^journal-([1-9]\d*)\.ndjson$/;
/** What is kept beside a segment, and only once that is there. */
const besideSegments = /^(?:plan-\d+\.md|sum-\d+\.json|out)$/;

export const segmentName = (segment: number): string => `journal-${segment}.ndjson`;

/** The number of the latest run, and of the latest segment of one; 0 without one. */
export const latestRun = (base: string): number => highest(namesIn(base), runName);
export const latestSegment = (folder: string): number => highest(namesIn(folder), segmentPattern);

/**
 * How many segments a run has; 0 when there is no such run, or its first start was killed before it had one. One that
 * is being claimed does not count yet.
 *
 * @throws {InputError} `journal-corrupt` when one of them is missing
 * @throws {EnvironmentError} `file-refused` when what is there is no folder
 */
export function countSegments(folder: string): number {
  if (!isRealFolder(folder)) return 0;
  const names = new Set(namesIn(folder));
  const count = highest(names, segmentPattern);
  const least = [...names].some((name) => besideSegments.test(name)) ? 1 : 0;
  for (let segment = 1; segment <= Math.max(count, least); segment += 1) {
    if (!names.has(segmentName(segment))) throw journalCorrupt(join(folder, segmentName(segment)), "it to be there");
  }
  return count > 0 && claimantsOf(join(folder, segmentName(count))).length > 0 ? count - 1 : count;
}

const namesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? refused("read", folder, () => readdirSync(folder)) : [];

const highest = (names: Iterable<string>, pattern: RegExp): number =>
  Math.max(0, ...Array.from(names, (name) => Number(pattern.exec(name)?.[1] ?? 0)));

/**
 * Read the segments of a run; none when it has no journal.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export function readSegments(
  folder: string,
  { abridged = false, findSum = () => null }: ReadingOptions,
): SegmentsReading {
  const count = countSegments(folder);
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

/** @throws {InputError} `journal-corrupt` when they are no line of segments, or a record is missing between two */
function inOrder(folder: string, segments: readonly Segment[]): readonly Segment[] {
  let next: number | undefined;
  for (const [index, { header, first, records }] of segments.entries()) {
    const path = join(folder, segmentName(index + 1));
    checkPlace(path, header, segments[index - 1]);
    if (first === undefined) continue;
    if (first !== (next ?? first)) throw recordMissing(path, next ?? first);
    next = first + records.length;
  }
  return segments;
}

/** Whether a segment goes on where the one before it ends. */
function checkPlace(path: string, { segment, after }: SegmentHeader, before: Segment | undefined): void {
  const number = before === undefined ? 1 : before.header.segment + 1;
  if (segment !== number) throw journalCorrupt(path, `segment ${number} of the run, found segment ${segment}`);
  if (after?.bytes !== before?.bytes) {
    throw journalCorrupt(
      path,
      `${after?.bytes ?? 0} bytes of the segment before to count, found ${before?.bytes ?? 0}`,
    );
  }
}
