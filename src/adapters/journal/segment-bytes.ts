import { fstatSync, readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { withRegular } from "../files/own-file.ts";
import { readAt } from "../files/read-own-file.ts";
import { refused } from "../files/refused.ts";

/** The bytes of a segment that are read. */
export interface SegmentBytes {
  /** Its first line. */
  readonly header: Buffer;
  /** Records, as far as they count. */
  readonly body: Buffer;
  /** Where the body stands. */
  readonly from: number;
}

/** A part of a segment from its beginning to the end of a line, known by its length and the checksum of that line. */
export interface SegmentPart {
  readonly bytes: number;
  readonly crc: number;
}

const newline = 0x0a;
/** Bytes in which a line stands, most often. */
const window = 65_536;

/** All of a segment. @param limit Bytes of it that count, when a later segment says so. */
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

/** Whether a line ends there that has that checksum. */
export const hasPart = (path: string, part: SegmentPart): boolean => withFile(path, (file) => isPart(file, part));

/** A segment without what stands in a part of it; null when the part is not there. */
export const bytesBehind = (path: string, part: SegmentPart, limit?: number): SegmentBytes | null =>
  withFile(path, (file) => {
    const { bytes } = part;
    const end = Math.min(fstatSync(file).size, limit ?? Number.POSITIVE_INFINITY);
    if (end < bytes || !isPart(file, part)) return null;
    return { header: headerOf(file), body: readAt(file, bytes, end - bytes), from: bytes };
  });

/** The first line of a segment that has so many bytes, without its records; null when it has less. */
export const bytesBefore = (path: string, bytes: number): SegmentBytes | null =>
  withFile(path, (file) =>
    fstatSync(file).size < bytes ? null : { header: headerOf(file), body: Buffer.alloc(0), from: bytes },
  );

/** The part of a segment that ends with so many bytes of it; null when no line ends there. */
export const partOf = (path: string, bytes: number): SegmentPart | null =>
  withFile(path, (file) => {
    const line = lineBefore(file, bytes);
    return line && { bytes, crc: crc32(line) };
  });

function isPart(file: number, { bytes, crc }: SegmentPart): boolean {
  const line = lineBefore(file, bytes);
  return line !== null && crc32(line) === crc;
}

/** The line that ends with so many bytes of a file, its line ending included; null when none does. */
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

/** Empty where no line was finished. */
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
