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

export interface JournalReading {
  /** The spec's folder of run data. */
  readonly base: string;
  /** Number of the latest run. The next start resumes this run, or begins a new run. */
  readonly run: number;
  readonly segments: readonly Segment[];
  /** Valid records, oldest first. */
  readonly records: readonly TimedRunRecord[];
  /** Replaces the records before `records`; missing if `records` contains all records. */
  readonly snapshot?: Snapshot;
  /** Whether the machine has rebooted since a start last recorded an answer; null if unknown. */
  readonly rebooted: boolean | null;
  /** The last complete line, if it was changed. This line and later lines are ignored. */
  readonly damaged?: DamagedRecord;
}

/** The segments of one run, oldest first. */
export interface SegmentsReading {
  readonly segments: readonly Segment[];
  /** Replaces the records before `segments`; null if `segments` contains all records. */
  readonly snapshot: Snapshot | null;
}

/** Numbers start at 1. */
const segmentPattern = /^journal-([1-9]\d*)\.ndjson$/;
/** Match files that exist only if the run has a segment. */
const besideSegments = /^(?:plan\.md|snapshot\.json|out)$/;

const segmentName = (segment: number): string => `journal-${segment}.ndjson`;
export const planName = "plan.md";

/** Return 0 if there is no run. */
export const latestRun = (base: string): number => highest(namesIn(base), runName);
/** Return 0 if the run has no segment. */
export const latestSegment = (folder: string): number => highest(namesIn(folder), segmentPattern);

/** Position of a journal's end, which moves when another start writes. */
export interface JournalMark {
  readonly run: number;
  readonly segment: number;
  /** Bytes of the last segment, including an incomplete last line. */
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

/** Return the path of the plan at the latest start; null if there is none. */
export function lastPlan(base: string): string | null {
  const path = join(base, `run-${latestRun(base)}`, planName);
  return existsSync(path) ? path : null;
}

/**
 * Return 0 if the run does not exist, or if its first start was killed before it wrote a segment.
 *
 * @throws {InputError} `journal-corrupt` if a segment is missing
 * @throws {EnvironmentError} `file-refused` if the path is no folder
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
 * Read the segments of a run; none if it has no journal.
 *
 * @param snapshot Replaces earlier records if it matches the journal; null to read all records.
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
function readSegments(folder: string, snapshot: Snapshot | null): SegmentsReading {
  const count = countSegments(folder);
  const behind = snapshot && readBehind(folder, count, snapshot);
  if (behind !== null) return { segments: behind, snapshot };
  return { segments: inOrder(folder, readAll(folder, count, 1)), snapshot: null };
}

/** Read the segments from number `from` on. Each segment ends at the length that the next segment states. */
function readAll(folder: string, count: number, from: number): readonly Segment[] {
  const segments: Segment[] = [];
  for (let segment = count; segment >= from; segment--) {
    const path = join(folder, segmentName(segment));
    segments.unshift(segmentIn(path, bytesOfSegment(path, limitBy(segments[0]))));
  }
  return segments;
}

/** Read all segments without the records that a snapshot replaces; null if the snapshot does not match. */
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
  // A resume needs all records of the last turn.
  const isWhole = next?.first === records + 1 && segments.some((segment) => segment.records.some(beginsTurn));
  return isWhole ? inOrder(folder, segments) : null;
}

const limitBy = (next: Segment | undefined): number | undefined => next?.header.after?.bytes;

/** @throws {InputError} `journal-corrupt` if a segment does not continue the previous one, or a record is missing */
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

function checkPlace(path: string, { segment, after }: SegmentHeader, before: Segment | undefined): void {
  const number = before === undefined ? 1 : before.header.segment + 1;
  if (segment !== number) throw journalCorrupt(path, `segment ${number} of the run, found segment ${segment}`);
  if (after?.bytes !== before?.bytes) {
    throw journalCorrupt(path, `${after?.bytes ?? 0} valid bytes of the previous segment, found ${before?.bytes ?? 0}`);
  }
}

export const runFolder = (base: string, run: number): string => join(base, `run-${run}`);
export const segmentPath = (base: string, run: number, segment: number): string =>
  join(runFolder(base, run), segmentName(segment));

/**
 * Read the journal of the latest run, or of a given run.
 *
 * @param base The spec's folder of run data.
 * @param whole Whether to read all records even if a snapshot replaces the first records.
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused` for links and other unexpected entries
 */
export function readJournal(
  base: string,
  { run: wanted, whole = true }: { readonly run?: number | undefined; readonly whole?: boolean } = {},
): JournalReading {
  checkDataFolder(base);
  const newest = latestRun(base);
  // If the first start of a run was killed before it wrote a segment, the folder of the run is empty.
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

/**
 * Return whether the machine has rebooted since the last recorded answer, and may have lost unflushed writes; null if
 * unknown.
 */
function hasBooted(segments: readonly Segment[]): boolean | null {
  const last = segments.findLast((segment) => segment.records.some(({ type }) => type === "answered"));
  if (last === undefined) return false;
  const { host, boot } = last.header;
  const now = bootId();
  return host !== hostname() || boot === null || now === null ? null : boot !== now;
}

/**
 * Read the segments of one run, oldest first; none if it has no journal.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export const readRun = (folder: string): readonly Segment[] => readSegments(folder, null).segments;
