import { existsSync, lstatSync, readdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { TimedRunRecord } from "../../model/record.ts";
import { beginsTurn } from "../../model/record.ts";
import type { DamagedRecord } from "../../model/status.ts";
import { checkDataFolder, isRealFolder, runName } from "../files/folder.ts";
import { refused } from "../files/refused.ts";
import { bootId } from "../processes/process-identity.ts";
import { journalCorrupt, recordMissing, type Segment, type SegmentHeader, segmentIn } from "./journal-segment.ts";
import { bytesBefore, bytesBehind, bytesOfSegment } from "./segment-bytes.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";

/** What the journal of a spec says when it is opened. */
export interface JournalReading {
  /** The spec's folder of run data. */
  readonly base: string;
  /** Folder of the latest run; the next start goes on with it, or begins the run after it. */
  readonly run: number;
  readonly segments: readonly Segment[];
  /** The records that count, oldest first. */
  readonly records: readonly TimedRunRecord[];
  /** What stands for the records before them; all are there without it. */
  readonly snapshot?: Snapshot;
  /** Whether the machine has booted since a start has last recorded an answer; null where that is not known. */
  readonly rebooted: boolean | null;
  /** The last line that was finished, when it has been altered since: neither it nor what was behind it counts. */
  readonly damaged?: DamagedRecord;
}

/** The segments of one run, oldest first. */
export interface SegmentsReading {
  readonly segments: readonly Segment[];
  /** What stands for the records before those that were read; null when all were. */
  readonly snapshot: Snapshot | null;
}

/** The number of a file of the journal in the folder of a run, from 1. */
const segmentPattern = /^journal-([1-9]\d*)\.ndjson$/;
/** What is kept beside a segment, and only once that is there. */
const besideSegments = /^(?:plan\.md|snapshot\.json|out)$/;

const segmentName = (segment: number): string => `journal-${segment}.ndjson`;
/** The plan as its last start has begun with it. */
export const planName = "plan.md";

/** The number of the latest run, and of the latest segment of one; 0 without one. */
export const latestRun = (base: string): number => highest(namesIn(base), runName);
export const latestSegment = (folder: string): number => highest(namesIn(folder), segmentPattern);

/** The place of a journal's end: another start has written when it differs. */
export interface JournalMark {
  readonly run: number;
  readonly segment: number;
  /** Bytes of the last segment, whole or torn. */
  readonly size: number;
}

/** @throws {EnvironmentError} `file-refused` */
export function markOf(base: string): JournalMark {
  checkDataFolder(base);
  const run = latestRun(base);
  const segment = latestSegment(runFolder(base, run));
  const path = segmentPath(base, run, segment);
  const size =
    segment === 0 ? 0 : refused("look at", path, () => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return { run, segment, size };
}

/** The plan as the latest start has begun with it; null where none has. */
export function lastPlan(base: string): string | null {
  const path = join(base, `run-${latestRun(base)}`, planName);
  return existsSync(path) ? path : null;
}

/**
 * How many segments a run has; 0 when there is no such run, or its first start was killed before it had one.
 *
 * @throws {InputError} `journal-corrupt` when one of them is missing
 * @throws {EnvironmentError} `file-refused` when what is there is no folder
 */
function countSegments(folder: string): number {
  if (!isRealFolder(folder)) return 0;
  const names = new Set(namesIn(folder));
  const count = highest(names, segmentPattern);
  const least = [...names].some((name) => besideSegments.test(name)) ? 1 : 0;
  for (let segment = 1; segment <= Math.max(count, least); segment += 1) {
    if (!names.has(segmentName(segment))) throw journalCorrupt(join(folder, segmentName(segment)), "it to be there");
  }
  return count;
}

const namesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? refused("read", folder, () => readdirSync(folder)) : [];

const highest = (names: Iterable<string>, pattern: RegExp): number =>
  Math.max(0, ...Array.from(names, (name) => Number(pattern.exec(name)?.[1] ?? 0)));

/**
 * Read the segments of a run; none when it has no journal.
 *
 * @param snapshot Stands for the records before it where it fits them; null: all are read.
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
function readSegments(folder: string, snapshot: Snapshot | null): SegmentsReading {
  const count = countSegments(folder);
  const behind = snapshot && readBehind(folder, count, snapshot);
  if (behind !== null) return { segments: behind, snapshot };
  return { segments: inOrder(folder, readAll(folder, count, 1)), snapshot: null };
}

/** The segments from one on to the last, each as far as the next one lets it count. */
function readAll(folder: string, count: number, from: number): readonly Segment[] {
  const segments: Segment[] = [];
  for (let segment = count; segment >= from; segment--) {
    const path = join(folder, segmentName(segment));
    segments.unshift(segmentIn(path, bytesOfSegment(path, limitBy(segments[0]))));
  }
  return segments;
}

/** All segments, without the records that a snapshot stands for; null when it does not fit them. */
function readBehind(folder: string, count: number, { end, records }: Snapshot): readonly Segment[] | null {
  if (end.segment > count) return null;
  const segments = [...readAll(folder, count, end.segment + 1)];
  for (let segment = end.segment; segment >= 1; segment--) {
    const path = join(folder, segmentName(segment));
    const limit = limitBy(segments[0]);
    const bytes = segment === end.segment ? bytesBehind(path, end, limit) : bytesBefore(path, limit ?? 0);
    if (bytes === null) return null;
    segments.unshift(segmentIn(path, bytes));
  }
  const [next] = segments.filter(({ first }) => first !== undefined);
  // Who goes on needs all of the last turn.
  const isWhole = next?.first === records + 1 && segments.some((segment) => segment.records.some(beginsTurn));
  return isWhole ? inOrder(folder, segments) : null;
}

const limitBy = (next: Segment | undefined): number | undefined => next?.header.after?.bytes;

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

export const runFolder = (base: string, run: number): string => join(base, `run-${run}`);
export const segmentPath = (base: string, run: number, segment: number): string =>
  join(runFolder(base, run), segmentName(segment));

/**
 * Read the journal of the latest run, or of another one.
 *
 * @param base The spec's folder of run data.
 * @param whole Whether all records are read, though a snapshot stands for the first of them.
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused` for links, and whatever else is no folder or file of its own
 */
export function readJournal(
  base: string,
  { run: wanted, whole = true }: { readonly run?: number | undefined; readonly whole?: boolean } = {},
): JournalReading {
  checkDataFolder(base);
  const newest = latestRun(base);
  // The folder of a run whose first start was killed before it had a segment is empty.
  const latest = newest > 0 && countSegments(runFolder(base, newest)) === 0 ? newest - 1 : newest;
  const run = wanted ?? latest;
  const folder = runFolder(base, run);
  const { segments, snapshot } = readSegments(folder, whole ? null : readSnapshot(folder));
  const records = segments.flatMap((segment) => segment.records);
  const damaged = segments.at(-1)?.damaged === true && {
    path: segmentPath(base, run, segments.length),
    record: (snapshot?.records ?? 0) + records.length + 1,
  };
  const rebooted = hasBooted(segments);
  return {
    base,
    run,
    segments,
    records,
    rebooted,
    ...(snapshot !== null && { snapshot }),
    ...(damaged && { damaged }),
  };
}

/** What was written before, and was not flushed, may be lost by a boot of this machine or of another one. */
function hasBooted(segments: readonly Segment[]): boolean | null {
  const last = segments.findLast((segment) => segment.records.some(({ type }) => type === "answered"));
  if (last === undefined) return false;
  const { host, boot } = last.header;
  const now = bootId();
  return host !== hostname() || boot === null || now === null ? null : boot !== now;
}

/**
 * Read the segments of one run, oldest first; none when it has no journal.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export const readRun = (folder: string): readonly Segment[] => readSegments(folder, null).segments;
