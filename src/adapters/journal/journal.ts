import { closeSync, existsSync, fdatasyncSync, ftruncateSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { EnvironmentError, takenOver } from "../../model/errors.ts";
import type { RunRecord } from "../../model/record.ts";
import type { RunState } from "../../model/run-state.ts";
import { isRealFolder } from "../files/data-folder.ts";
import { makeFolder } from "../files/folder.ts";
import { withRegular } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { draftsIn, syncFolder } from "../files/write-atomic.ts";
import { bootId, identifyProcess } from "../processes/process-identity.ts";
import type { JournalEnd } from "../user/run-head.ts";
import { checkHolder } from "./holder.ts";
import { sealLine } from "./journal-line.ts";
import { journalVersion, readSegment, type SegmentHeader } from "./journal-segment.ts";
import { type JournalReading, readJournal, runFolder, segmentPath } from "./read-journal.ts";
import { claimSegment, dropRivals } from "./segment-claim.ts";
import { type SegmentFence, segmentFence } from "./segment-fence.ts";
import { writeSnapshot } from "./snapshot.ts";

/** What a start writes at the head of its segment. */
export type StartFacts = Pick<SegmentHeader, "policy" | "planHash" | "open" | "seed">;

/** The open journal of a run. Holding it is holding the spec. */
export interface Journal extends SegmentFence {
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
   * @param keepPlan Keeps the plan as it is known, which a start that reads no more than that has to begin with.
   */
  snapshot(take: () => RunState, keepPlan: () => Promise<void>): void;
  /** Let go of the spec. */
  close(): void;
}

/** A snapshot is kept behind so many bytes of journal at least, and behind no less than it has itself. */
const leastBytes = 262_144;

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
    boot: bootId(),
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
  const fence = refused("look at", path, () => segmentFence({ path, successor, file, isHeldByAnother }));
  /** One that took over while something was written may not have read it: then it counts for nobody. */
  const checkCounted = (): void => {
    if (existsSync(successor) && countedBy(successor) < size) throw takenOver(`\`${folder}\``);
  };
  let n = goesOn ? (reading.snapshot?.records ?? 0) + reading.records.length : 0;
  let line = sealLine(header);
  let size = Buffer.byteLength(line);
  let last: RunRecord["type"] | undefined;
  /** Bytes of the run, of all its snapshots so far, and of what is behind the last of them; and when the next is due. */
  let total = goesOn ? bytesOf(reading.segments) : 0;
  let written = goesOn ? (reading.snapshot?.written ?? 0) : 0;
  let unkept = goesOn ? bytesBehindSnapshot(reading) : 0;
  let due = leastBytes;
  /** Why nothing may be appended any more: a line stands there that was neither taken for written nor removed. */
  let broken: { readonly error: unknown } | null = null;
  const append: Journal["append"] = (records, { durable, at = Date.now() }) => {
    if (durable) fence.checkHeld();
    // A start that goes on with the run puts drafts away; behind its end there may be none.
    if (records.at(-1)?.type === "ended") refused("write", path, () => dropRivals(path));
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
    snapshot: (take, keepPlan) => {
      if (unkept < due) return;
      const text = JSON.stringify(take());
      const bytes = Buffer.byteLength(text);
      // Of a state that grows with its journal, all snapshots together are no more than that; another is kept less often.
      due = Math.max(leastBytes, bytes / 2, unkept + written + bytes - total);
      if (unkept < due) return;
      unkept = 0;
      written += bytes;
      const kept = { end: end(), records: n, written };
      keepPlan()
        .then(() => writeSnapshot(folder, kept, text, fence.checkFence))
        .catch(() => {});
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
