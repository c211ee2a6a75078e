import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { EnvironmentError } from "../../model/errors.ts";
import { openRegular } from "./own-file.ts";

const longest = 1024 * 1024;

/**
 * Read the first MiB of a file that any program may have written, as UTF-8, up to its last complete line. Links are not
 * followed, and a pipe does not block.
 *
 * @returns Null if the file does not exist, is not regular, or has further hard links.
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
    // A path whose name is too long has no file.
    if (error instanceof EnvironmentError || isNone((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}

const isNone = (code: string | undefined): boolean => code === "ENOENT" || code === "ENAMETOOLONG";

/** Read part of an open file; returns fewer bytes if the file ends earlier. */
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

export interface ReadText {
  readonly text: string;
  readonly isUtf8: boolean;
}

/** Decode bytes as UTF-8. Each invalid byte becomes a stand-in character, so that `bytesOf` can restore it. */
export function textOf(content: Buffer): ReadText {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content), isUtf8: true };
  } catch {
    return { text: content.toString("latin1").replace(sequence, decoded), isUtf8: false };
  }
}

/** Encode a text whose bytes were not UTF-8. */
export function bytesOf(text: string): Buffer<ArrayBuffer> {
  const parts = text.split(standIns);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.from(part, "utf16le").filter(isLow))),
  );
}

/** The stand-in for a byte of 0x80 or more is a private-use character: U+EF00 plus the byte. */
const standIns = /([\uEF80-\uEFFF]+)/;
const standIn = (byte: string): string => String.fromCharCode(0xef00 + byte.charCodeAt(0));
const isLow = (_: number, index: number): boolean => index % 2 === 0;

/** Match a multi-byte UTF-8 character or else a single byte, in bytes decoded as Latin-1. */
const sequence =
  /[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]|[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}|\xED[\x80-\x9F][\x80-\xBF]|\xF0[\x90-\xBF][\x80-\xBF]{2}|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2}|[\x80-\xFF]/g;

function decoded(bytes: string): string {
  const character = bytes.length === 1 ? "" : Buffer.from(bytes, "latin1").toString("utf8");
  // Replace a real character that looks like a stand-in, too: otherwise it would be restored as another byte.
  return character === "" || standIns.test(character) ? bytes.replace(/./gs, standIn) : character;
}
