import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  lstatSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { crc32 } from "node:zlib";
import { takenOver } from "../../model/errors.ts";
import type { RunRecord } from "../../model/record.ts";
import type { RunState } from "../../model/run-state.ts";
import { isRealFolder, makeFolder } from "../files/folder.ts";
import { notRegular, openRegular, withRegular } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import type { SpecLease } from "../files/spec-files.ts";
import { draftPath, draftsIn, syncFolder, writeAtomic } from "../files/write-atomic.ts";
import type { Lease } from "../lease/lease.ts";
import type { JournalEnd } from "../user/run-head.ts";
import { journalVersion, readSegment, type SegmentHeader, sealLine } from "./journal-segment.ts";
import { type JournalReading, runFolder, segmentPath } from "./read-journal.ts";
import { segmentFence } from "./segment-fence.ts";
import { writeSnapshot } from "./snapshot.ts";

export type StartFacts = Pick<SegmentHeader, "policy" | "planHash" | "open" | "seed" | "checkout" | "untracked">;

export interface Journal extends SpecLease {
  readonly folder: string;
  readonly segment: number;
  append(records: readonly RunRecord[], options: { readonly durable: boolean; readonly at?: number | undefined }): void;
  end(): JournalEnd;
  /**
   * Save a snapshot of the state if the journal has grown enough. Runs in the background: without a snapshot, the next
   * start only has to replay more records.
   *
   * @param take Appends pending records, and returns the state.
   */
  snapshot(take: () => RunState): void;
  /** Close the segment, and keep the lease. */
  close(): void;
}

/** Minimum bytes of journal between snapshots. For a large state, the minimum is half of its size. */
const leastBytes = 262_144;

/**
 * Begin the next segment of a run, or the first segment of a new run.
 *
 * @param lease The spec's lease, taken before the journal was read.
 * @throws {EnvironmentError} `spec-taken-over`, `file-refused`
 */
export function openJournal(reading: JournalReading, run: number, facts: StartFacts, lease: Lease): Journal {
  const { base } = reading;
  const folder = runFolder(base, run);
  refused("make", folder, () => makeFolder(folder));
  isRealFolder(folder);
  const isResumed = run === reading.run;
  const previous = isResumed ? reading.segments.at(-1) : undefined;
  const segment = isResumed ? reading.segments.length + 1 : 1;
  const path = segmentPath(base, run, segment);
  const { pid, pidStart, host, boot } = lease.holder;
  const header: SegmentHeader = {
    v: journalVersion,
    run,
    segment,
    after: previous === undefined ? null : { segment: segment - 1, bytes: previous.bytes },
    ...{ pid, pidStart, host, boot },
    at: Date.now(),
    ...facts,
  };
  // Flush the records that the new segment continues.
  if (previous !== undefined) sync(segmentPath(base, run, segment - 1));
  const file = refused("write", path, () => {
    const drafts = draftsIn(base);
    const check = (): void => {
      if (!lease.isHeld()) throw takenOver(`\`${folder}\``);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found !== undefined) throw notRegular(path, found);
    };
    // Check that the lease was still held when the temporary files were listed: then no other process uses them.
    check();
    for (const draft of drafts) rmSync(draft, { force: true });
    writeAtomic(path, sealLine(header), { temporary: draftPath(folder, basename(path)), durable: true, check });
    for (const place of [base, dirname(base)]) syncFolder(place);
    return openRegular(path, constants.O_WRONLY | constants.O_APPEND);
  });
  const successor = segmentPath(base, run, segment + 1);
  const fence = refused("look at", path, () => segmentFence({ path, file, lease }));
  /** Throw if a later segment began without the last write, which is then not part of the run. */
  const checkCounted = (): void => {
    if (existsSync(successor) && countedBy(successor) < size) throw takenOver(`\`${folder}\``);
  };
  let n = isResumed ? (reading.snapshot?.records ?? 0) + reading.records.length : 0;
  let line = sealLine(header);
  let size = Buffer.byteLength(line);
  let last: RunRecord["type"] | undefined;
  let total = isResumed ? bytesOf(reading.segments) : 0;
  let written = isResumed ? (reading.snapshot?.written ?? 0) : 0;
  /** Bytes of the journal after the last snapshot. */
  let unkept = isResumed ? bytesBehindSnapshot(reading) : 0;
  /** Bytes after the last snapshot at which the next snapshot is due. */
  let due = leastBytes;
  /** Set if nothing can be appended, because the last line could be neither confirmed nor removed. */
  let broken: { readonly error: unknown } | null = null;
  const append: Journal["append"] = (records, { durable, at = Date.now() }) => {
    if (durable) fence.checkHeld();
    const made = sealLine({ n: n + 1, at, records });
    const bytes = Buffer.byteLength(made);
    refused("write", path, () => {
      if (broken !== null) throw broken.error;
      try {
        // Write the whole line or fail: a single `writeSync` may stop short on a nearly full disk.
        writeFileSync(file, made);
        if (durable) fdatasyncSync(file);
      } catch (error) {
        // Remove a partial line: it would merge with the next line, or be read as valid despite the error.
        try {
          ftruncateSync(file, size);
        } catch {
          broken = { error };
        }
        throw error;
      }
      n += records.length;
      size += bytes;
      unkept += bytes;
      total += bytes;
      line = made;
    });
    if (durable) checkCounted();
    last = records.at(-1)?.type;
  };
  const end = (): JournalEnd => ({ segment, bytes: size, crc: crc32(line) });
  return {
    folder,
    segment,
    append,
    ...fence,
    end,
    snapshot: (take) => {
      if (unkept < due) return;
      const text = JSON.stringify(take());
      const bytes = Buffer.byteLength(text);
      // Wait until the journal has grown by half the size of this snapshot, and is as large as all snapshots together.
      due = Math.max(leastBytes, bytes / 2, unkept + written + bytes - total);
      if (unkept < due) return;
      unkept = 0;
      written += bytes;
      const kept = { end: end(), records: n, written };
      try {
        writeSnapshot(folder, kept, text, fence.checkFence);
      } catch {}
    },
    close: () => {
      try {
        if (last !== "ended") append([{ type: "released" }], { durable: false });
      } finally {
        closeSync(file);
      }
    },
  };
}

function bytesBehindSnapshot({ segments, snapshot }: JournalReading): number {
  return bytesOf(segments.slice((snapshot?.end.segment ?? 1) - 1)) - (snapshot?.end.bytes ?? 0);
}

const bytesOf = (segments: JournalReading["segments"]): number => segments.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Return how many bytes of a segment are valid according to the next segment; 0 if that segment's header is not yet
 * readable.
 */
function countedBy(successor: string): number {
  try {
    return readSegment(successor).header.after?.bytes ?? 0;
  } catch {
    return 0;
  }
}

const sync = (path: string): void =>
  refused("write", path, () => withRegular(path, "read", (file) => fdatasyncSync(file)));
