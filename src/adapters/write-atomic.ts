import { closeSync, fchmodSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/** How a file is replaced. */
export interface AtomicWrite<Mark> {
  /** Name of the file that is written first, on the same file system; one left over by a crash is overwritten. */
  readonly temporary: string;
  /** Whether the content survives a power cut once this returns. */
  readonly durable: boolean;
  /** Called with the descriptor of the whole new file. */
  readonly mark?: (file: number) => Mark;
  /** Called right before the old file is replaced; throws when it must stay. */
  readonly check?: () => void;
}

/**
 * Replace a file so that a reader, or a crash, finds either all of the old or all of the new content. A link is not
 * followed: the file takes its place.
 */
export function writeAtomic<Mark = undefined>(
  path: string,
  content: string | Uint8Array,
  { temporary, durable, mark, check }: AtomicWrite<Mark>,
): Mark {
  const found = lstatSync(path, { throwIfNoEntry: false });
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", 0o600);
  let marked: Mark | undefined;
  try {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fchmodSync(file, (found?.isFile() === true ? found.mode : 0o644) & 0o7777);
    marked = mark?.(file);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    check?.();
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  renameSync(temporary, path);
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
