import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { EnvironmentError } from "../../model/errors.ts";
import { openRegular } from "./own-file.ts";

/** Maximum bytes to read of a file that other programs may have written. */
const longest = 1024 * 1024;

/**
 * Read the first MiB of a file that anyone may have written, as UTF-8, up to its last complete line.
 *
 * @returns Null if it does not exist, is not a regular file, or has further hard links. Links are not followed, and a
 * pipe does not block.
 */
export function readOwnFile(path: string): string | null {
  const file = open(path);
  if (file === null) return null;
  try {
    const { size, nlink } = fstatSync(file);
    if (nlink > 1) return null;
    const content = readAt(file, 0, Math.min(size, longest));
    return (size > longest ? content.subarray(0, content.lastIndexOf("\n") + 1) : content).toString("utf8");
  } finally {
    closeSync(file);
  }
}

function open(path: string): number | null {
  try {
    return openRegular(path, constants.O_RDONLY);
  } catch (error) {
    // A path with a name that is too long has no file.
    if (error instanceof EnvironmentError || isNone((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}

const isNone = (code: string | undefined): boolean => code === "ENOENT" || code === "ENAMETOOLONG";

/** Read part of an open file; less if the file ends before. */
export function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** The bytes of a file as text. */
export interface ReadText {
  readonly text: string;
  readonly isUtf8: boolean;
}

/** Decode bytes as UTF-8. Invalid bytes become stand-in characters, so that `bytesOf` restores every byte. */
export function textOf(content: Buffer): ReadText {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content), isUtf8: true };
  } catch {
    return { text: content.toString("latin1").replace(sequence, decoded), isUtf8: false };
  }
}

/** Encode a text that was decoded from bytes that are not UTF-8. */
export function bytesOf(text: string): Buffer<ArrayBuffer> {
  const parts = text.split(standIns);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.from(part, "utf16le").filter(isLow))),
  );
}

/** Stand-ins of bytes from 0x80 on: private-use characters, U+EF00 plus the byte. */
const standIns = /([\uEF80-\uEFFF]+)/;
const standIn = (byte: string): string => String.fromCharCode(0xef00 + byte.charCodeAt(0));
/** Selects the low byte of each UTF-16 code unit. */
const isLow = (_: number, index: number): boolean => index % 2 === 0;

/** The bytes of a multi-byte UTF-8 character, else a single byte, in bytes decoded as Latin-1. */
const sequence =
  /[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]|[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}|\xED[\x80-\x9F][\x80-\xBF]|\xF0[\x90-\xBF][\x80-\xBF]{2}|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2}|[\x80-\xFF]/g;

function decoded(bytes: string): string {
  const character = bytes.length === 1 ? "" : Buffer.from(bytes, "latin1").toString("utf8");
  // A real character that looks like a stand-in would be restored as another byte.
  return character === "" || standIns.test(character) ? bytes.replace(/./gs, standIn) : character;
}
