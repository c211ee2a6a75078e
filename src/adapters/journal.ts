import { closeSync, existsSync, fdatasyncSync, ftruncateSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { EnvironmentError, takenOver } from "../model/errors.ts";
import type { RunRecord, TimedRunRecord } from "../model/record.ts";
import type { DamagedRecord } from "../model/status.ts";
import { checkDataFolder, isRealFolder } from "./files/data-folder.ts";
import { makeFolder } from "./files/folder.ts";
import { withRegular } from "./files/own-file.ts";
import { refused } from "./files/refused.ts";
import { draftsIn, syncFolder } from "./files/write-atomic.ts";
import { checkHolder } from "./journal/holder.ts";
import { sealLine } from "./journal-line.ts";
import { journalVersion, readSegment, type Segment, type SegmentHeader } from "./journal-segment.ts";
import type { JournalReach, JournalSum } from "./journal-sum.ts";
import { identifyProcess } from "./processes/process-identity.ts";
import { countSegments, latestRun, type ReadingOptions, readSegments, segmentName } from "./read-segments.ts";
import { partOf, type SegmentPart } from "./segment-bytes.ts";
import { claimSegment, dropRivals } from "./segment-claim.ts";
import { segmentFence } from "./segment-fence.ts";
import type { JournalEnd } from "./user/run-head.ts";

/** What the journal of a spec says when it is opened. */
export interface JournalReading {
  /** The spec's folder of run data. */
  readonly base: string;
  /** Folder of the latest run; the next start goes on with it, or begins the run after it. */
  readonly run: number;
  readonly segments: readonly Segment[];
  /** The records that count, oldest first. */
  readonly records: readonly TimedRunRecord[];
  /** What stands for the records before them; all are there when it does not. */
  readonly sum?: JournalSum;
  /** The last line that was finished, when it has been altered since: neither it nor what was behind it counts. */
  readonly damaged?: DamagedRecord;
}

/** What a start writes at the head of its segment. */
export type StartFacts = Pick<SegmentHeader, "policy" | "planHash" | "open" | "seed">;

/** The open journal of a run. Holding it is holding the spec. */
export interface Journal {
  readonly folder: string;
  readonly segment: number;
  append(record: RunRecord, options: { readonly durable: boolean }): void;
  /**
   * @throws {EnvironmentError} `spec-taken-over` when another coordinator has started since, `run-data-removed` when
   *   the journal was removed or replaced, `file-refused` when a link or a file stands in place of its folder
   */
  checkFence(): void;
  /** Where it ends now. */
  end(): JournalEnd;
  /** How far it reaches now; null where that cannot be told by its lines. */
  reach(): JournalReach | null;
  /** Let go of the spec. */
  close(): void;
}

export const runFolder = (base: string, run: number): string => join(base, `run-${run}`);
export const segmentPath = (base: string, run: number, segment: number): string =>
  join(runFolder(base, run), segmentName(segment));

/**
 * Read the journal of the latest run, or of another one.
 *
 * @param base The spec's folder of run data.
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused` for links, and whatever else is no folder or file of its own
 */
export function readJournal(
  base: string,
  { run: wanted, ...options }: ReadingOptions & { readonly run?: number | undefined } = {},
): JournalReading {
  checkDataFolder(base);
  const newest = latestRun(base);
  // The folder of a run whose first start was killed before it had a segment is empty.
  const latest = newest > 0 && countSegments(runFolder(base, newest)) === 0 ? newest - 1 : newest;
  const run = wanted ?? latest;
  const { segments, sum } = readSegments(runFolder(base, run), options);
  const records = segments.flatMap((segment) => segment.records);
  const damaged = segments.at(-1)?.damaged === true && {
    path: segmentPath(base, run, segments.length),
    record: (sum?.records ?? 0) + records.length + 1,
  };
  return { base, run, segments, records, ...(sum !== null && { sum }), ...(damaged && { damaged }) };
}

/**
 * Read the segments of one run, oldest first; none when it has no journal.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export const readRun = (folder: string, options: ReadingOptions = {}): readonly Segment[] =>
  readSegments(folder, options).segments;

/**
 * Start the next segment of a run, or the first of a new one. Of several coordinators only one can win it.
 *
 * @throws {EnvironmentError} `spec-locked` when another coordinator was faster, `file-system-unsuited`, `file-refused`
 */
export function openJournal(reading: JournalReading, run: number, facts: StartFacts): Journal {
  const { base } = reading;
  const folder = runFolder(base, run);
  refused("make", folder, () => makeFolder(folder));
  isRealFolder(folder);
  const goesOn = run === reading.run;
  const previous = goesOn ? reading.segments.at(-1) : undefined;
  const segment = goesOn ? reading.segments.length + 1 : 1;
  const path = segmentPath(base, run, segment);
  const header: SegmentHeader = {
    v: journalVersion,
    run,
    segment,
    after: previous === undefined ? null : { segment: segment - 1, bytes: previous.bytes },
    ...(identifyProcess(process.pid) ?? { pid: process.pid, pidStart: null }),
    host: hostname(),
    at: Date.now(),
    ...facts,
  };
  // What it goes on from is not lost before it.
  if (previous !== undefined) sync(segmentPath(base, run, segment - 1));
  const file = refused("write", path, () => {
    // Drafts of those before: of one who takes the spec over meanwhile there are none among them yet.
    const drafts = draftsIn(base);
    const claimed = claimSegment(path, header);
    if (claimed === null) throw tooLate(base);
    for (const draft of drafts) rmSync(draft, { force: true });
    for (const place of [folder, base, dirname(base)]) syncFolder(place);
    return claimed;
  });
  const successor = segmentPath(base, run, segment + 1);
  const isHeldByAnother = (): boolean => isHeldBut(base, header);
  const checkFence = refused("look at", path, () => segmentFence({ path, successor, file, isHeldByAnother }));
  /** One that took over while something was written may not have read it: then it counts for nobody. */
  const checkCounted = (): void => {
    if (existsSync(successor) && countedBy(successor) < size) throw takenOver(`\`${folder}\``);
  };
  let n = goesOn ? (reading.sum?.records ?? 0) + reading.records.length : 0;
  let line = sealLine(header);
  let size = Buffer.byteLength(line);
  let last: RunRecord["type"] | undefined;
  /** Why nothing may be appended any more: a line stands there that was neither taken for written nor removed. */
  let broken: { readonly error: unknown } | null = null;
  const append: Journal["append"] = (record, { durable }) => {
    if (durable) checkFence();
    // A start that goes on with the run puts drafts away; behind its end there may be none.
    if (record.type === "ended") refused("write", path, () => dropRivals(path));
    const made = sealLine({ n: n + 1, at: Date.now(), ...record });
    refused("write", path, () => {
      if (broken !== null) throw broken.error;
      try {
        // The whole line, or an error: a single write may stop short when the disk is nearly full.
        writeFileSync(file, made);
        if (durable) fdatasyncSync(file);
      } catch (error) {
        // What was written of it would swallow the next line, or count although nothing came of it.
        try {
          ftruncateSync(file, size);
        } catch {
          broken = { error };
        }
        throw error;
      }
      n += 1;
      size += Buffer.byteLength(made);
      line = made;
    });
    if (durable) checkCounted();
    last = record.type;
  };
  return {
    folder,
    segment,
    append,
    checkFence,
    end: () => ({ segment, bytes: size, crc: crc32(line) }),
    reach: () => {
      const before = goesOn ? reading.segments : [];
      const parts = before.map(({ bytes }, index) => partOf(segmentPath(base, run, index + 1), bytes));
      return parts.includes(null)
        ? null
        : { parts: [...(parts as SegmentPart[]), { bytes: size, crc: crc32(line) }], records: n };
    },
    close: () => {
      try {
        if (last !== "ended") append({ type: "released" }, { durable: false });
      } finally {
        closeSync(file);
      }
    },
  };
}

/** How much of a segment the one after it goes on from; 0 where that cannot be told yet. */
function countedBy(successor: string): number {
  try {
    return readSegment(successor).header.after?.bytes ?? 0;
  } catch {
    return 0;
  }
}

function tooLate(base: string): EnvironmentError {
  checkHolder(readJournal(base), { takeOver: false });
  return new EnvironmentError("Cannot take the spec, another coordinator has just had it", {
    code: "spec-locked",
    hint: "Run again",
  });
}

/** Whether what stands there now is held by somebody else than the start with this header. */
function isHeldBut(base: string, { pid, at }: SegmentHeader): boolean {
  try {
    const last = readJournal(base).segments.at(-1);
    if (last === undefined || (last.header.pid === pid && last.header.at === at)) return false;
    checkHolder({ segments: [last] }, { takeOver: false });
    return false;
  } catch (error) {
    return error instanceof EnvironmentError && error.code.startsWith("spec-");
  }
}

const sync = (path: string): void =>
  refused("write", path, () => withRegular(path, "read", (file) => fdatasyncSync(file)));
