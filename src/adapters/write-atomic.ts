import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";

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
 * Replace a file so that a reader, or a crash, finds either all of the old or all of the new content. A link is
 * followed: the file it leads to is replaced.
 */
export function writeAtomic<Mark = undefined>(
  path: string,
  content: string | Uint8Array,
  { temporary, durable, mark, check }: AtomicWrite<Mark>,
): Mark {
  const found = statSync(path, { throwIfNoEntry: false });
  const target = found === undefined ? path : realpathSync(path);
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", 0o600);
  let marked: Mark | undefined;
  try {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fchmodSync(file, (found?.mode ?? 0o644) & 0o7777);
    marked = mark?.(file);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  check?.();
  renameSync(temporary, target);
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
