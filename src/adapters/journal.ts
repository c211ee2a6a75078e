import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { EnvironmentError } from "../model/errors.ts";
import type { RunRecord, TimedRunRecord } from "../model/record.ts";
import { draftPath } from "./draft-path.ts";
import { sealLine } from "./journal-line.ts";
import { journalVersion, readSegment, type Segment, type SegmentHeader } from "./journal-segment.ts";
import type { JournalReach, JournalSum } from "./journal-sum.ts";
import { makeFolder } from "./make-folder.ts";
import { identifyProcess, isAlive } from "./process-identity.ts";
import { latestIn, type ReadingOptions, readSegments, segmentName } from "./read-segments.ts";
import { refused } from "./refused.ts";
import type { JournalEnd } from "./run-head.ts";
import { partOf, type SegmentPart } from "./segment-bytes.ts";
import { syncFolder } from "./write-atomic.ts";

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
}

/** What a start writes at the head of its segment. */
export type StartFacts = Pick<SegmentHeader, "policy" | "planHash" | "open" | "seed">;

/** The open journal of a run. Holding it is holding the spec. */
export interface Journal {
  readonly folder: string;
  readonly segment: number;
  append(record: RunRecord, options: { readonly durable: boolean }): void;
  /** @throws {EnvironmentError} `spec-taken-over` when another coordinator has started since */
  checkFence(): void;
  /** Where it ends now. */
  end(): JournalEnd;
  /** How far it reaches now; null where that cannot be told by its lines. */
  reach(): JournalReach | null;
  /** Let go of the spec. */
  close(): void;
}

const runFolder = (base: string, run: number): string => join(base, `run-${run}`);
export const segmentPath = (base: string, run: number, segment: number): string =>
  join(runFolder(base, run), segmentName(segment));

/**
 * Read the journal of the latest run.
 *
 * @param base The spec's folder of run data.
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 */
export function readJournal(base: string, options: ReadingOptions = {}): JournalReading {
  const newest = latestIn(base, /^run-(\d+)$/);
  // The folder of a run whose first start was killed before it had a segment is empty.
  const run = newest > 0 && !existsSync(segmentPath(base, newest, 1)) ? newest - 1 : newest;
  if (options.only === "run") return { base, run: newest, segments: [], records: [] };
  const { segments, sum } = readSegments(runFolder(base, run), options);
  const records = segments.flatMap((segment) => segment.records);
  return { base, run, segments, records, ...(sum !== null && { sum }) };
}

/**
 * Read the segments of one run, oldest first; none when it has no journal.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 */
export const readRun = (folder: string, options: ReadingOptions = {}): readonly Segment[] =>
  readSegments(folder, options).segments;

/**
 * Refuse when another coordinator holds the spec.
 *
 * @throws {EnvironmentError} `spec-locked`, naming the holder; `spec-on-other-host`
 */
export function checkHolder({ segments }: JournalReading, { takeOver }: { readonly takeOver: boolean }): void {
  const last = segments.at(-1);
  const end = last?.records.at(-1)?.type;
  if (last === undefined || end === "ended" || end === "released") return;
  const { pid, host, at } = last.header;
  const since = new Date(at).toISOString();
  if (host !== hostname()) {
    if (takeOver) return;
    throw new EnvironmentError(
      `Cannot take the spec, expected process ${pid} on \`${host}\` (since ${since}) to have ended`,
      {
        code: "spec-on-other-host",
        hint: "When it is certain that it no longer runs there, add --take-over",
      },
    );
  }
  if (!isAlive(last.header)) return;
  throw new EnvironmentError(`Cannot take the spec, process ${pid} on \`${host}\` holds it since ${since}`, {
    code: "spec-locked",
    hint: `Wait for it to end, or end it: kill ${pid}`,
  });
}

/**
 * Start the next segment of a run, or the first of a new one. The complete file appears under its name at once, so of
 * several coordinators only one can win it.
 *
 * @throws {EnvironmentError} `spec-locked` when another coordinator was faster
 */
export function openJournal(reading: JournalReading, run: number, facts: StartFacts): Journal {
  const { base } = reading;
  const folder = runFolder(base, run);
  refused("make", folder, () => makeFolder(folder));
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
  const file = refused("write", path, () => {
    // Drafts of those before: of one who takes the spec over meanwhile there are none among them yet.
    const drafts = draftsOf(base);
    claim(base, path, header);
    for (const draft of drafts) rmSync(draft, { force: true });
    for (const place of [folder, base, dirname(base)]) syncFolder(place);
    return openSync(path, "a");
  });
  const successor = segmentPath(base, run, segment + 1);
  const checkFence = (): void => {
    if (existsSync(successor)) throw takenOver(folder);
  };
  /** One that took over while something was written may not have read it: then it counts for nobody. */
  const checkCounted = (): void => {
    if (existsSync(successor) && (readSegment(successor).header.after?.bytes ?? 0) < size) throw takenOver(folder);
  };
  let n = goesOn ? (reading.sum?.records ?? 0) + reading.records.length : 0;
  let size = statSync(path).size;
  let line = sealLine(header);
  let last: RunRecord["type"] | undefined;
  const append: Journal["append"] = (record, { durable }) => {
    if (durable) checkFence();
    const made = sealLine({ n: n + 1, at: Date.now(), ...record });
    refused("write", path, () => {
      try {
        // The whole line, or an error: a single write may stop short when the disk is nearly full.
        writeFileSync(file, made);
        if (durable) fdatasyncSync(file);
      } catch (error) {
        // What was written of it would swallow the next line, or count although nothing came of it.
        ftruncateSync(file, size);
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

const takenOver = (folder: string): EnvironmentError =>
  new EnvironmentError(`Cannot go on with the run, another coordinator has taken it over in \`${folder}\``, {
    code: "spec-taken-over",
    hint: "Leave the spec to it; nothing more is written here",
  });

function claim(base: string, path: string, header: SegmentHeader): void {
  const draft = draftPath(dirname(path), basename(path));
  writeFileSync(draft, sealLine(header), { flush: true });
  try {
    linkSync(draft, path);
  } catch (cause) {
    // The winner has put its segment there, and our draft away.
    if (!["EEXIST", "ENOENT"].includes((cause as NodeJS.ErrnoException).code ?? "")) throw cause;
    checkHolder(readJournal(base), { takeOver: false });
    throw new EnvironmentError("Cannot take the spec, another coordinator has just had it", {
      code: "spec-locked",
      hint: "Run again",
      cause,
    });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** What killed starts left half-written: one that was stopped for long even in a run that others have ended. */
function draftsOf(base: string): string[] {
  const runs = readdirSync(base).filter((name) => /^run-\d+$/.test(name));
  return [base, ...runs.map((name) => join(base, name))].flatMap((place) =>
    readdirSync(place)
      .filter((name) => /\.tmp$|\.ndjson\.\d+$/.test(name))
      .map((name) => join(place, name)),
  );
}
