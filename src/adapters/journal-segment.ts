import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { InputError } from "../model/errors.ts";
import { Policy } from "../model/policy.ts";
import { RunRecord, type TimedRunRecord } from "../model/record.ts";
import { RunSeed } from "../model/run-seed.ts";
import { refused } from "./refused.ts";

/** First line of a segment: who started, on what, after which part of the segment before. */
export const SegmentHeader = z.object({
  v: z.literal(1),
  run: z.int().min(1),
  segment: z.int().min(1),
  /** The segment before and how many bytes of it count; later ones are those of a writer that was taken over. */
  after: z.object({ segment: z.int(), bytes: z.int() }).nullable(),
  pid: z.int(),
  pidStart: z.string().nullable(),
  host: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  policy: Policy,
  /** Hash of the plan at the start, and of the Verify commands that may run. */
  planHash: z.string(),
  verifyHash: z.string(),
  /** Tasks that were open when the run began. */
  open: z.int().min(0),
  /** What had been spent when the run was taken over from another system. */
  seed: RunSeed.optional(),
});
export type SegmentHeader = z.infer<typeof SegmentHeader>;

/** A segment as far as it can be believed. */
export interface Segment {
  readonly header: SegmentHeader;
  readonly records: readonly TimedRunRecord[];
  /** Bytes up to the end of the last whole record. */
  readonly bytes: number;
}

/** One line of a segment, sealed so that a torn or altered one is noticed. */
export function sealLine(value: object): string {
  const body = JSON.stringify(value).slice(0, -1);
  return `${body},"crc":${crc32(body)}}\n`;
}

/** The value of a sealed line; undefined when the line is torn or altered. */
function openLine(line: string): Record<string, unknown> | undefined {
  const cut = line.lastIndexOf(',"crc":');
  if (cut === -1 || Number(line.slice(cut + 7, -1)) !== crc32(line.slice(0, cut))) return undefined;
  return JSON.parse(`${line.slice(0, cut)}}`) as Record<string, unknown>;
}

/**
 * Read a segment up to its last whole record.
 *
 * @param limit Bytes of it that count, when a later segment says so.
 * @throws {InputError} `journal-corrupt`, `journal-newer`
 */
export function readSegment(path: string, limit?: number): Segment {
  const text = refused("read", path, () => readFileSync(path))
    .subarray(0, limit)
    .toString("utf8");
  const lines = text.split("\n");
  const head = openLine(lines[0] ?? "");
  if (typeof head?.["v"] === "number" && head["v"] > 1) {
    throw new InputError(`Cannot read the journal \`${path}\`, it was written by a newer version of fixpoint`, {
      code: "journal-newer",
      hint: "Use that version to go on with this run",
    });
  }
  const header = SegmentHeader.safeParse(head);
  if (!header.success) throw corrupt(path, "a sealed header in its first line", header.error);
  const records: TimedRunRecord[] = [];
  let bytes = Buffer.byteLength(lines[0] ?? "") + 1;
  const body = lines.slice(1, -1);
  const torn = body.findIndex((line) => {
    const value = openLine(line);
    const record = value === undefined ? undefined : RunRecord.safeParse(value);
    if (value === undefined || record === undefined || !record.success) return true;
    records.push({ ...record.data, at: Number(value["at"]) });
    bytes += Buffer.byteLength(line) + 1;
    return false;
  });
  // A crash tears the end only.
  if (torn !== -1 && body.slice(torn + 1).some((line) => openLine(line) !== undefined)) {
    throw corrupt(path, `record ${torn + 1} to be whole, as those behind it are`);
  }
  return { header: header.data, records, bytes };
}

const corrupt = (path: string, expected: string, cause?: unknown): InputError =>
  new InputError(`Cannot read the journal \`${path}\`, expected ${expected}`, {
    code: "journal-corrupt",
    hint: "Move the spec's .fixpoint folder away to start over from the plan as it stands",
    cause,
  });
