import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { EnvironmentError } from "../model/errors.ts";
import { openRegular } from "./own-file.ts";

/** How much is read of a file that somebody else has written. */
const longest = 1024 * 1024;

/**
 * Read the first MiB of a file that anybody may have put there, as UTF-8, up to its last whole line.
 *
 * @returns Null when there is none, and for what is no regular file of its own: a link, hard or symbolic, is not
 *   followed, and a pipe does not keep the reader waiting.
 */
export function readOwnFile(path: string): string | null {
  const file = open(path);
  if (file === null) return null;
  try {
    const { size, nlink } = fstatSync(file);
    if (nlink > 1) return null;
    const content = readAll(file, Math.min(size, longest));
    return (size > longest ? content.subarray(0, content.lastIndexOf("\n") + 1) : content).toString("utf8");
  } finally {
    closeSync(file);
  }
}

function open(path: string): number | null {
  try {
    return openRegular(path, constants.O_RDONLY);
  } catch (error) {
    // A name that is too long is that of no file.
    if (error instanceof EnvironmentError || isNone((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}

const isNone = (code: string | undefined): boolean => code === "ENOENT" || code === "ENAMETOOLONG";

function readAll(file: number, size: number): Buffer {
  const content = Buffer.alloc(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read) {
    read = readSync(file, content, length, size - length, length);
  }
  return content.subarray(0, length);
}
