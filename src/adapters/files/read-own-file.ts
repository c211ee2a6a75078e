import { closeSync, constants, fstatSync } from "node:fs";
import { EnvironmentError } from "../../model/errors.ts";
import { openRegular } from "./own-file.ts";
import { readAt } from "./read-at.ts";

/** How much is read of a file that somebody else may have written. */
const longest = 1024 * 1024;

/**
 * Read the first MiB of a file that anybody may have put there, as UTF-8, up to its last whole line.
 *
 * @returns Null when there is none, and for anything but a regular file with one name: links are not followed, and a
 *   pipe does not keep the reader waiting.
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
    // No file has a name that is too long.
    if (error instanceof EnvironmentError || isNone((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}

const isNone = (code: string | undefined): boolean => code === "ENOENT" || code === "ENAMETOOLONG";
