import { fstatSync, readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { withRegular } from "../files/own-file.ts";
import { readAt } from "../files/read-own-file.ts";
import { refused } from "../files/refused.ts";

export interface SegmentBytes {
  readonly header: Buffer;
  readonly body: Buffer;
  readonly from: number;
}

/** The beginning of a segment up to the end of a line: its length, and the checksum of its last line. */
export interface SegmentPart {
  readonly bytes: number;
  readonly crc: number;
}

const newline = 0x0a;
/** Number of bytes that usually contain a whole line. */
const window = 65_536;

/** @param limit Number of valid bytes, if a later segment states it. */
export function bytesOfSegment(path: string, limit?: number): SegmentBytes {
  const file = withFile(path, (descriptor) => readFileSync(descriptor)).subarray(0, limit);
  const from = file.indexOf(newline) + 1;
  return from === 0 ? { header: file, body: file.subarray(file.length), from: file.length } : bytesFrom(file, from);
}

const bytesFrom = (file: Buffer, from: number): SegmentBytes => ({
  header: file.subarray(0, from),
  body: file.subarray(from),
  from,
});

export const hasPart = (path: string, part: SegmentPart): boolean => withFile(path, (file) => isPart(file, part));

/** Read a segment after a given part; null if the segment does not have the part. */
export const bytesBehind = (path: string, part: SegmentPart, limit?: number): SegmentBytes | null =>
  withFile(path, (file) => {
    const { bytes } = part;
    const end = Math.min(fstatSync(file).size, limit ?? Number.POSITIVE_INFINITY);
    if (end < bytes || !isPart(file, part)) return null;
    return { header: headerOf(file), body: readAt(file, bytes, end - bytes), from: bytes };
  });

/** Read only the first line of a segment; null if the segment has fewer than this many bytes. */
export const bytesBefore = (path: string, bytes: number): SegmentBytes | null =>
  withFile(path, (file) =>
    fstatSync(file).size < bytes ? null : { header: headerOf(file), body: Buffer.alloc(0), from: bytes },
  );

/** Return the part of a segment with this many bytes; null if no line ends there. */
export const partOf = (path: string, bytes: number): SegmentPart | null =>
  withFile(path, (file) => {
    const line = lineBefore(file, bytes);
    return line && { bytes, crc: crc32(line) };
  });

function isPart(file: number, { bytes, crc }: SegmentPart): boolean {
  const line = lineBefore(file, bytes);
  return line !== null && crc32(line) === crc;
}

/** Read the line that ends at this offset, with its line ending; null if no line ends there. */
function lineBefore(file: number, bytes: number): Buffer | null {
  const { size } = fstatSync(file);
  for (let length = Math.min(window, bytes); size >= bytes; length = Math.min(length * 16, bytes)) {
    const tail = readAt(file, bytes - length, length);
    if (tail.at(-1) !== newline) return null;
    const start = tail.subarray(0, -1).lastIndexOf(newline) + 1;
    if (start > 0 || length === bytes) return tail.subarray(start);
  }
  return null;
}

/** Read the first line of a file; empty if the line is not complete. */
function headerOf(file: number): Buffer {
  const { size } = fstatSync(file);
  for (let length = Math.min(window, size); ; length = Math.min(length * 16, size)) {
    const head = readAt(file, 0, length);
    const end = head.indexOf(newline) + 1;
    if (end > 0 || length === size) return head.subarray(0, end);
  }
}

const withFile = <Result>(path: string, look: (file: number) => Result): Result =>
  refused("read", path, () => withRegular(path, "read", look));
