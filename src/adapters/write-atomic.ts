import { closeSync, fchmodSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** How a file is replaced. */
export interface AtomicWrite<Mark> {
  /** Name of the file that is written first, on the same file system; one left over by a crash is overwritten. */
  readonly temporary: string;
  /** Whether a power cut leaves the new content once this returns; else it may leave the old one. */
  readonly durable: boolean;
  /** Of a file that is new (0644 by default). */
  readonly mode?: number;
  /** Called with the descriptor of the whole new file. */
  readonly mark?: (file: number) => Mark;
  /** Called right before the old file is replaced; throws when it must stay, also as another has put the new one away. */
  readonly check?: () => void;
}

/**
 * Replace a file so that a reader, a crash or a power cut finds either all of the old or all of the new content. A link
 * is not followed: the file takes its place.
 */
export function writeAtomic<Mark = undefined>(
  path: string,
  content: string | Uint8Array,
  { temporary, durable, mode = 0o644, mark, check }: AtomicWrite<Mark>,
): Mark {
  const found = lstatSync(path, { throwIfNoEntry: false });
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", 0o600);
  let marked: Mark | undefined;
  try {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fchmodSync(file, (found?.isFile() === true ? found.mode : mode) & 0o7777);
    marked = mark?.(file);
    // Else the name might come to the disk before what it stands for.
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    check?.();
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code === "ENOENT") check?.();
    throw error;
  }
  if (durable) syncFolder(dirname(path));
  return marked as Mark;
}

/** Make the names in a folder durable. */
export function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
