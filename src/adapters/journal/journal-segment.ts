import { crc32 } from "node:zlib";
import * as z from "zod";
import { beginNewRun, InputError, versionsApart } from "../../model/errors.ts";
import { Checkout } from "../../model/git-evidence.ts";
import { interpreted } from "../../model/parse-json.ts";
import { Policy } from "../../model/policy.ts";
import { RunRecord, type TimedRunRecord } from "../../model/record.ts";
import { RunSeed } from "../../model/run-seed.ts";
import { bytesOfSegment, type SegmentBytes } from "./segment-bytes.ts";

/** Raise this version if recorded facts would lead to other decisions, or if records change their form. */
export const journalVersion = 7;

/** First line of a segment: the process that started, its settings, and the valid part of the previous segment. */
export const SegmentHeader = z.object({
  v: z.literal(journalVersion),
  run: z.int().min(1),
  segment: z.int().min(1),
  /**
   * The previous segment, and its number of valid bytes. Bytes after these are from a writer that had lost the lease.
   */
  after: z.object({ segment: z.int(), bytes: z.int() }).nullable(),
  pid: z.int(),
  pidStart: z.string().nullable(),
  host: z.string(),
  /** Boot id of the machine; null if the system has none. */
  boot: z.string().nullable(),
  /** Milliseconds since 1970. */
  at: z.number(),
  policy: Policy,
  planHash: z.string(),
  open: z.int().min(0),
  /** Amounts already spent, if the run was imported from another system. */
  seed: RunSeed.optional(),
  /** Checkout in which the run commits; missing before its first commit. */
  checkout: Checkout.optional(),
  /** Hash of the list of untracked files before the run; missing if the run does not commit work. */
  untracked: z.string().optional(),
});
export type SegmentHeader = z.infer<typeof SegmentHeader>;

export interface Segment {
  readonly header: SegmentHeader;
  readonly records: readonly TimedRunRecord[];
  /** Number of the segment's first record in the run, from 1; missing if the segment has no record. */
  readonly first?: number;
  /** Bytes up to the end of the last complete record. */
  readonly bytes: number;
  /** Whether a complete line after the last valid record was changed. A kill leaves only an incomplete line. */
  readonly damaged: boolean;
}

/**
 * Read a segment up to its last complete record.
 *
 * @param limit Number of valid bytes, if a later segment states it.
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 */
export const readSegment = (path: string, limit?: number): Segment => segmentIn(path, bytesOfSegment(path, limit));

/**
 * Parse the bytes of a segment up to the last complete record.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 */
export function segmentIn(path: string, bytes: SegmentBytes): Segment {
  const header = readHeader(path, bytes.header);
  const { body: lines, from } = bytes;
  const how = lines.length < manyBytes ? interpreted : undefined;
  const records: TimedRunRecord[] = [];
  let first: number | undefined;
  let start = 0;
  for (let end = lineEnd(lines, start); end !== -1; end = lineEnd(lines, start)) {
    const body = openLine(lines.subarray(start, end));
    const read = body === undefined ? undefined : lineIn(body, how);
    if (read === undefined) break;
    const { n, at } = read;
    first ??= n;
    if (n !== first + records.length) throw recordMissing(path, first + records.length);
    // Validation has created new objects, so changing them is safe.
    for (const record of read.records) records.push(Object.assign(record, { at }));
    start = end + 1;
  }
  // A crash damages only the end, so damage before a complete line has another cause.
  if (hasWhole(lines, lineEnd(lines, start))) {
    throw journalCorrupt(path, `record ${records.length + 1} to be complete, like those after it`);
  }
  const damaged = isAltered(lines.subarray(start));
  return { header, records, bytes: from + start, damaged, ...(first !== undefined && { first }) };
}

function readHeader(path: string, file: Buffer): SegmentHeader {
  const body = openLine(file.subarray(0, Math.max(0, lineEnd(file, 0))));
  const head = body === undefined ? undefined : wholeOf(body);
  const version = head?.["v"];
  if (typeof version === "number" && version !== journalVersion) throw otherVersion(path, version);
  const header = HeaderWithoutPolicy.safeParse(head, interpreted);
  const policy = policyIn(head?.["policy"]);
  if (!header.success || !policy.success) {
    throw journalCorrupt(path, "a complete first line, found a damaged one", header.error ?? policy.error);
  }
  return { ...header.data, policy: policy.data };
}

const HeaderWithoutPolicy = SegmentHeader.omit({ policy: true });

type ReadPolicy = ReturnType<typeof Policy.safeParse>;
let last: { readonly text: string; readonly read: ReadPolicy } | null = null;

/** Most starts of a run have the same policy, so validate it once. */
function policyIn(value: unknown): ReadPolicy {
  const text = JSON.stringify(value) ?? "";
  if (last?.text !== text) last = { text, read: Policy.safeParse(value, interpreted) };
  return last.read;
}

function otherVersion(path: string, version: number): InputError {
  const isNewer = version > journalVersion;
  const which = `written by ${isNewer ? "a newer" : "an older"} version of fixpoint (journal version ${version})`;
  return new InputError(`Cannot read the journal \`${path}\` ${which}, expected version ${journalVersion}`, {
    code: isNewer ? "journal-newer" : "journal-older",
    ways: versionsApart,
  });
}

/** Size in bytes above which a compiled parser is faster: about 7 000 records. */
const manyBytes = 4 * 1024 * 1024;
const newline = 0x0a;

/** End of a line; -1 if it is incomplete. */
const lineEnd = (file: Buffer, start: number): number => file.indexOf(newline, start);

const wholeOf = (body: Buffer): Record<string, unknown> => parseBody(body.toString("utf8"));

/** A line after the first line: records that were made together. */
const Line = z.object({
  /** Number of the line's first record in the run, from 1. */
  n: z.int().min(1),
  /** Milliseconds since 1970. */
  at: z.number(),
  records: z.array(RunRecord).min(1),
});

function lineIn(body: Buffer, how: typeof interpreted | undefined): z.infer<typeof Line> | undefined {
  return Line.safeParse(wholeOf(body), how).data;
}

/**
 * Return whether the bytes after the last valid line were once a complete line: an interrupted line lacks its ending.
 */
const isAltered = (rest: Buffer): boolean =>
  lineEnd(rest, 0) !== -1 || (rest.length > 0 && openLine(rest.subarray(0, -1)) !== undefined);

function hasWhole(file: Buffer, torn: number): boolean {
  for (let [start, end] = [torn + 1, lineEnd(file, torn + 1)]; torn !== -1 && end !== -1; ) {
    if (openLine(file.subarray(start, end)) !== undefined) return true;
    [start, end] = [end + 1, lineEnd(file, end + 1)];
  }
  return false;
}

const seal = ',"crc":';
const [zero, nine, brace] = [0x30, 0x39, 0x7d];

/** Render a line of a segment, with a checksum that reveals damage. */
export function sealLine(value: object): string {
  const body = JSON.stringify(value).slice(0, -1);
  return `${body}${seal}${crc32(body)}}\n`;
}

/**
 * Return the body of a line with a valid checksum: an object without its closing brace. Undefined if the line is
 * damaged.
 *
 * @param line Without its line ending.
 */
export function openLine(line: Buffer): Buffer | undefined {
  let at = line.length - 2;
  for (let digit = line[at] ?? 0; digit >= zero && digit <= nine; digit = line[at] ?? 0) at -= 1;
  const cut = at + 1 - seal.length;
  if (line.at(-1) !== brace || line.toString("latin1", cut, at + 1) !== seal) return undefined;
  const body = line.subarray(0, cut);
  return Number(line.toString("latin1", at + 1, line.length - 1)) === crc32(body) ? body : undefined;
}

/** Parse a body, which lacks its closing brace. */
export const parseBody = (body: string): Record<string, unknown> => JSON.parse(`${body}}`) as Record<string, unknown>;

/** @param expected The expected content at this path. */
export const journalCorrupt = (path: string, expected: string, cause?: unknown): InputError =>
  new InputError(`Cannot read the journal \`${path}\`, expected ${expected}`, {
    code: "journal-corrupt",
    ways: [beginNewRun],
    cause,
  });

export const recordMissing = (path: string, number: number): InputError =>
  journalCorrupt(path, `record ${number} of the run, found another record`);
