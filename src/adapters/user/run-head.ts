import { closeSync, constants, fstatSync, lstatSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { SpentByTask } from "../../model/ledger.ts";
import { interpreted } from "../../model/parse-json.ts";
import type { RunRecord } from "../../model/record.ts";
import { worksOnTasks } from "../../model/role.ts";
import { highestSeed, type RunSeed } from "../../model/run-seed.ts";
import { openRegular, readRegular, withRegular } from "../files/own-file.ts";
import { readAt } from "../files/read-own-file.ts";
import { refused } from "../files/refused.ts";
import { syncFolder } from "../files/write-atomic.ts";
import { openLine, parseBody, sealLine } from "../journal/journal-segment.ts";

/** Position of a journal's end: the last segment, its length in bytes, and the checksum of its last line. */
export const JournalEnd = z.object({ segment: z.int(), bytes: z.int(), crc: z.int() });
export type JournalEnd = z.infer<typeof JournalEnd>;

/** Line of a head file in the user's folder for the spec. The file has one line per durable line of the journal. */
const HeadLine = z.object({
  end: JournalEnd,
  iterations: z.int(),
  elapsedMs: z.number(),
  costUsd: z.number(),
  tokens: z.number(),
  spent: SpentByTask.optional(),
  ended: z.string().optional(),
  /** Whether tasks of the run were handed out. */
  outside: z.boolean().optional(),
});
type HeadLine = z.infer<typeof HeadLine>;

/** Facts about a spec's latest run, stored for this user independently of its run data. */
export interface RunHead {
  readonly run: number;
  /** Null if nothing was recorded after the run began. */
  readonly end: JournalEnd | null;
  readonly complete: boolean;
  /** Whether tasks of the run were handed out. */
  readonly outside: boolean;
  /** Minimum amounts spent by the run. Read from all lines on demand: only needed if run data is lost. */
  readonly seed: RunSeed;
}

export interface OpenHead {
  /** @param before Totals before the records of the line. */
  note(
    end: JournalEnd,
    records: readonly RunRecord[],
    before: Pick<HeadLine, "iterations" | "elapsedMs" | "costUsd" | "tokens" | "outside">,
  ): void;
  close(): void;
}

const headName = /^run-(\d+)\.head$/;
const headPath = (folder: string, run: number): string => join(folder, `run-${run}.head`);

const openAppending = (path: string): number =>
  openRegular(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600);

/**
 * Read the head of the latest run that this user began or accepted.
 *
 * @param folder The user's folder for the spec.
 * @returns Null if there is none.
 */
export function readHead(folder: string): RunHead | null {
  const run = latestHead(folder);
  if (run === 0) return null;
  const path = headPath(folder, run);
  let last: HeadLine | undefined;
  try {
    last = refused("read", path, () => lastLineIn(path));
  } catch (error) {
    // Read again if another process has reset the spec, or begun its next run.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return readHead(folder);
    throw error;
  }
  return {
    run,
    end: last?.end ?? null,
    complete: last?.ended === "complete",
    outside: last?.outside === true,
    get seed() {
      return seedIn(linesIn(refused("read", path, () => readRegular(path)) ?? Buffer.alloc(0)));
    },
  };
}

const latestHead = (folder: string): number =>
  Math.max(
    0,
    ...refused("read", folder, () => readdirSync(folder)).map((name) => Number(headName.exec(name)?.[1] ?? 0)),
  );

/** Create the head of a run, and remove the heads of other runs. The new file survives a power cut. */
export function beginHead(folder: string, run: number): void {
  const path = headPath(folder, run);
  refused("write", path, () => {
    closeSync(openAppending(path));
    syncFolder(folder);
    for (const name of readdirSync(folder)) {
      const number = Number(headName.exec(name)?.[1] ?? run);
      if (number !== run) rmSync(join(folder, name), { force: true });
    }
  });
}

/** Forget the run that this user began or accepted. @throws {EnvironmentError} `file-refused` */
export function removeHeads(folder: string): void {
  refused("remove", folder, () => {
    for (const name of readdirSync(folder)) if (headName.test(name)) rmSync(join(folder, name), { force: true });
  });
}

/**
 * Open a head to note the end of each journal line. Writes are not flushed, and their errors are ignored: an outdated
 * head is still useful.
 */
export function openHead(folder: string, run: number): OpenHead {
  const file = refused("write", headPath(folder, run), () => openAppending(headPath(folder, run)));
  return {
    note: (end, records, { iterations: before, elapsedMs, costUsd, tokens, outside }) => {
      const iterations = before + records.filter(({ type }) => type === "delegated").length;
      const line: HeadLine = { end, iterations, elapsedMs, costUsd, tokens, outside, ...factsOf(records) };
      try {
        writeSync(file, sealLine(line));
      } catch {
        // Ignore the error: the next line repeats everything except the amounts per task.
      }
    },
    close: (): void => closeSync(file),
  };
}

function factsOf(records: readonly RunRecord[]): Pick<HeadLine, "spent" | "ended"> {
  const spent: SpentByTask = {};
  let ended: string | undefined;
  for (const record of records) {
    if (record.type === "ended") ended = record.ending.outcome;
    if (record.type === "intended") spent[record.fix.fixOf] = { attempts: 0, retries: 0, fixes: [record.fix.id] };
    if (record.type === "delegated" && worksOnTasks(record.role)) {
      spent[record.task] = { attempts: record.attempt, retries: record.retries, fixes: [] };
    }
  }
  return { ...(Object.keys(spent).length > 0 && { spent }), ...(ended !== undefined && { ended }) };
}

/** The complete lines; a line torn by a kill or a full disk is ignored. */
function linesIn(file: Buffer): HeadLine[] {
  const lines: HeadLine[] = [];
  for (let start = 0; start < file.length; ) {
    const end = file.indexOf("\n", start);
    const read = lineIn(file.subarray(start, end === -1 ? file.length : end));
    if (read !== undefined) lines.push(read);
    start = end === -1 ? file.length : end + 1;
  }
  return lines;
}

/** Bytes that are usually enough for a whole line. */
const window = 4096;

/** The last complete line. A long run has thousands of lines, most of them outdated. */
const lastLineIn = (path: string): HeadLine | undefined =>
  withRegular(path, "read", (file) => {
    const { size } = fstatSync(file);
    for (let length = Math.min(window, size); ; length = Math.min(length * 16, size)) {
      const found = lastLineOf(readAt(file, size - length, length), length === size);
      if (found !== undefined || length === size) return found;
    }
  });

/**
 * The last complete line in the last bytes of a file. @param isAll Whether these bytes are the whole file; if not, the
 * first line may be cut.
 */
function lastLineOf(bytes: Buffer, isAll: boolean): HeadLine | undefined {
  for (let end = bytes.length; end > 0; ) {
    const start = bytes.lastIndexOf("\n", end - 1) + 1;
    const read = start > 0 || isAll ? lineIn(bytes.subarray(start, end)) : undefined;
    if (read !== undefined) return read;
    end = start - 1;
  }
  return undefined;
}

function lineIn(line: Buffer): HeadLine | undefined {
  const body = openLine(line);
  return body === undefined ? undefined : HeadLine.safeParse(parseBody(body.toString("utf8")), interpreted).data;
}

const seedIn = (lines: readonly HeadLine[]): RunSeed =>
  highestSeed(
    lines.map(({ iterations, elapsedMs, costUsd, tokens, spent = {} }) => ({
      ...{ iterations, elapsedMs, costUsd, tokens },
      tasks: spent,
      changes: {},
    })),
  );
