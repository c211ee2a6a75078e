import { fstatSync } from "node:fs";
import { EnvironmentError } from "../../model/errors.ts";
import { withRegular } from "../files/own-file.ts";
import { readAt } from "../files/read-own-file.ts";

/**
 * Read the end of a file as UTF-8. Invalid bytes become U+FFFD, NUL stays. A first line that is cut starts with `…`, so
 * that its rest is not mistaken for a whole line, such as a quoted signal.
 *
 * @param file Path, or descriptor of an open file.
 * @param bytes Maximum length to read.
 * @throws {EnvironmentError} `output-unreadable`
 */
export function readTail(file: string | number, bytes: number): string {
  if (typeof file === "number") return tailOf(file, bytes);
  try {
    return withRegular(file, "read", (fd) => tailOf(fd, bytes));
  } catch (cause) {
    throw new EnvironmentError(`Cannot read output file \`${file}\`, expected a regular file`, {
      code: "output-unreadable",
      cause,
    });
  }
}

const tailOf = (fd: number, bytes: number): string => {
  const { bytes: read, isTorn } = readEnd(fd, bytes);
  return `${isTorn ? "…" : ""}${read.toString()}`;
};

/**
 * Read the end of an open file.
 *
 * @returns Its bytes from the first whole character on, and whether their first line is cut.
 */
export function readEnd(fd: number, bytes: number): { readonly bytes: Buffer; readonly isTorn: boolean } {
  const { size } = fstatSync(fd);
  if (size <= bytes) return { bytes: readAt(fd, 0, size), isTorn: false };
  // One extra byte shows whether the cut is between two lines.
  const cut = readAt(fd, size - bytes - 1, bytes + 1);
  const isTorn = cut[0] !== newline;
  return { bytes: cut.subarray(isTorn ? nextCodePoint(cut, 1) : 1), isTorn };
}

const newline = 0x0a;

/** The first index from `from` on where a code point begins; `from` itself when the bytes are not UTF-8. */
function nextCodePoint(bytes: Buffer, from: number): number {
  const begins = bytes.subarray(from, from + 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return begins === -1 ? from : from + begins;
}
