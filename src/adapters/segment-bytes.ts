import { fstatSync, readFileSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { withRegular } from "./files/own-file.ts";
import { refused } from "./files/refused.ts";

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

/** The part of a segment that so many bytes are; null where no line of a usual length ends there. */
export const partOf = (path: string, bytes: number): SegmentPart | null =>
  withFile(path, (file) => {
    const crc = lastLine(file, bytes);
    return crc === null ? null : { bytes, crc };
  });

/** Whether a line ends there that has that checksum. */
export const hasPart = (path: string, { bytes, crc }: SegmentPart): boolean =>
  withFile(path, (file) => {
    if (fstatSync(file).size < bytes) return false;
    const whole = lastLine(file, bytes);
    if (whole !== null) return whole === crc;
    // A line of any length.
    const body = readAt(file, 0, bytes);
    return body.at(-1) === newline && crc32(body.subarray(body.subarray(0, -1).lastIndexOf(newline) + 1)) === crc;
  });

/** A segment without what stands in a part of it; null when the part is not there. */
export const bytesBehind = (path: string, { bytes, crc }: SegmentPart, limit?: number): SegmentBytes | null =>
  withFile(path, (file) => {
    const end = Math.min(fstatSync(file).size, limit ?? Number.POSITIVE_INFINITY);
    const head = readAt(file, 0, Math.min(window, bytes));
    const header = head.subarray(0, head.indexOf(newline) + 1);
    if (end < bytes || header.length === 0 || lastLine(file, bytes) !== crc) return null;
    return { header, body: readAt(file, bytes, end), from: bytes };
  });

const withFile = <Result>(path: string, look: (file: number) => Result): Result =>
  refused("read", path, () => withRegular(path, "read", look));

/** The checksum of the line that ends at an offset; null where none of a usual length does. */
function lastLine(file: number, end: number): number | null {
  const from = Math.max(0, end - window);
  const tail = readAt(file, from, end);
  if (tail.length < end - from || tail.at(-1) !== newline) return null;
  const start = tail.subarray(0, -1).lastIndexOf(newline) + 1;
  if (start === 0 && from > 0) return null;
  return crc32(tail.subarray(start));
}

/** Less when the file ends before. */
function readAt(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(file, bytes, length, bytes.length - length, from + length);
  }
  return bytes.subarray(0, length);
}
