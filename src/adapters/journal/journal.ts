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

/** What a start writes at the head of its segment. */
export type StartFacts = Pick<SegmentHeader, "policy" | "planHash" | "open" | "seed" | "checkout" | "untracked">;

/** The open journal of a run. */
export interface Journal extends SpecLease {
  readonly folder: string;
  readonly segment: number;
  append(records: readonly RunRecord[], options: { readonly durable: boolean; readonly at?: number | undefined }): void;
  /** Where it ends now. */
  end(): JournalEnd;
  /**
   * Keep the state that all records so far come to, where enough was recorded for that. Nothing of it is waited for:
   * without it the next start has more to do, and nothing is lost.
   *
   * @param take Appends what is still to be appended, and gives the state.
   */
  snapshot(take: () => RunState): void;
  /** Close the segment; the lease stays. */
  close(): void;
}

/** A snapshot is kept behind so many bytes of journal at least, and behind no less than it has itself. */
const leastBytes = 262_144;

/**
 * Start the next segment of a run, or the first of a new one.
 *
 * @param lease The lease of the spec, taken before the reading was checked.
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
  // The records that it continues must not be lost before it.
  if (previous !== undefined) sync(segmentPath(base, run, segment - 1));
  const file = refused("write", path, () => {
    const drafts = draftsIn(base);
    const check = (): void => {
      if (!lease.isHeld()) throw takenOver(`\`${folder}\``);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found !== undefined) throw notRegular(path, found);
    };
    // Drafts that were there while the lease was held belong to no other process.
    check();
    for (const draft of drafts) rmSync(draft, { force: true });
    writeAtomic(path, sealLine(header), { temporary: draftPath(folder, basename(path)), durable: true, check });
    for (const place of [base, dirname(base)]) syncFolder(place);
    return openRegular(path, constants.O_WRONLY | constants.O_APPEND);
  });
  const successor = segmentPath(base, run, segment + 1);
  const fence = refused("look at", path, () => segmentFence({ path, file, lease }));
  /** One that took over while something was written may not have read it: then it counts for nobody. */
  const checkCounted = (): void => {
    if (existsSync(successor) && countedBy(successor) < size) throw takenOver(`\`${folder}\``);
  };
  let n = isResumed ? (reading.snapshot?.records ?? 0) + reading.records.length : 0;
  let line = sealLine(header);
  let size = Buffer.byteLength(line);
  let last: RunRecord["type"] | undefined;
  /** Bytes of the run, of all its snapshots so far, and of what is behind the last of them; and when the next is due. */
  let total = isResumed ? bytesOf(reading.segments) : 0;
  let written = isResumed ? (reading.snapshot?.written ?? 0) : 0;
  let unkept = isResumed ? bytesBehindSnapshot(reading) : 0;
  let due = leastBytes;
  /** Why nothing may be appended any more: a line stands there that was neither taken for written nor removed. */
  let broken: { readonly error: unknown } | null = null;
  const append: Journal["append"] = (records, { durable, at = Date.now() }) => {
    if (durable) fence.checkHeld();
    const made = sealLine({ n: n + 1, at, records });
    const bytes = Buffer.byteLength(made);
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
      // Of a state that grows with its journal, all snapshots together are no more than that; another is kept less often.
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

/** How much of a segment the one after it goes on from; 0 where that cannot be told yet. */
function countedBy(successor: string): number {
  try {
    return readSegment(successor).header.after?.bytes ?? 0;
  } catch {
    return 0;
  }
}

const sync = (path: string): void =>
  refused("write", path, () => withRegular(path, "read", (file) => fdatasyncSync(file)));
