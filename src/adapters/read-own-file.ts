import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

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
    const found = fstatSync(file);
    if (!found.isFile() || found.nlink > 1) return null;
    const { size } = found;
    const content = readAll(file, Math.min(size, longest));
    return (size > longest ? content.subarray(0, content.lastIndexOf("\n") + 1) : content).toString("utf8");
  } finally {
    closeSync(file);
  }
}

/** What the system answers for a name that is not there, a symbolic link, a socket, and a name that is too long. */
const noFile = new Set(["ENOENT", "ELOOP", "EMLINK", "ENXIO", "ENAMETOOLONG"]);

function open(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (noFile.has(String((error as NodeJS.ErrnoException).code))) return null;
    throw error;
  }
}

function readAll(file: number, size: number): Buffer {
  const content = Buffer.alloc(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read) {
    read = readSync(file, content, length, size - length, length);
  }
  return content.subarray(0, length);
}
