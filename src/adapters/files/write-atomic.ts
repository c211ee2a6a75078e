import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fsync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { runFolders } from "./folder.ts";
import { openRegular } from "./own-file.ts";
import { refused } from "./refused.ts";

interface AtomicWrite<Mark> {
  /** Path of the temporary file, on the same file system. A leftover of a crash is overwritten. */
  readonly temporary: string;
  /** Whether to flush the new content before returning. Otherwise, a power cut may bring back the old content. */
  readonly durable: boolean;
  /** Mode of a new file (0644 by default). */
  readonly mode?: number;
  readonly mark?: (file: number) => Mark;
  /**
   * Called right before the new file replaces the old file, and again if another process removed the new file. Throws
   * to keep the old file.
   */
  readonly check?: () => void;
}

/**
 * Replace a file atomically: a reader, a crash or a power cut finds all of the old or all of the new content. A link is
 * replaced, not followed.
 */
export function writeAtomic<Mark = undefined>(
  path: string,
  content: string | Uint8Array,
  { temporary, durable, mode, mark, check }: AtomicWrite<Mark>,
): Mark {
  const file = draft(path, content, { temporary, mode });
  let marked: Mark | undefined;
  try {
    marked = mark?.(file);
    // Without this flush, the name may reach the disk before the content.
    fsyncSync(file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  replace(path, temporary, check);
  if (durable) syncFolder(dirname(path));
  return marked as Mark;
}

/**
 * Like `writeAtomic`, with an asynchronous flush. The function returns when the new file is written; the promise
 * resolves when the new file has replaced the old file.
 *
 * @throws if the new file cannot be written.
 */
export function writeAtomicAside(
  path: string,
  content: Uint8Array,
  { temporary, mode, check }: Pick<AtomicWrite<undefined>, "temporary" | "mode" | "check">,
): Promise<void> {
  const file = draft(path, content, { temporary, mode });
  return flushContent(file)
    .finally(() => closeSync(file))
    .catch((error) => {
      rmSync(temporary, { force: true });
      throw error;
    })
    .then(() => replace(path, temporary, check));
}

const flushContent = promisify(fdatasync);

function draft(
  path: string,
  content: string | Uint8Array,
  { temporary, mode = 0o644 }: { readonly temporary: string; readonly mode: number | undefined },
): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const file = openNew(temporary);
  try {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fchmodSync(file, (found?.isFile() === true ? found.mode : mode) & 0o7777);
    return file;
  } catch (error) {
    closeSync(file);
    rmSync(temporary, { force: true });
    throw error;
  }
}

function replace(path: string, temporary: string, check: (() => void) | undefined): void {
  try {
    check?.();
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code === "ENOENT") check?.();
    throw error;
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    rmSync(path, { force: true });
    return openSync(path, "wx", 0o600);
  }
}

/** Make the names in a folder survive a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Unique to this process: a process on another host may have the same process id. */
const mark = `${process.pid}-${randomUUID().slice(0, 8)}`;

const draftName =
  /^(?:replacement|state|journal-\d+\.ndjson|plan\.md|snapshot\.json|untracked\.json)-\d+-[0-9a-f]{8}\.tmp$/;

/**
 * Return the path of the temporary file for a replacement. A later holder of the spec's lease removes leftovers.
 *
 * @param name `replacement`, `state`, or the name of a file in a run folder.
 */
export const draftPath = (folder: string, name: string): string => join(folder, `${name}-${mark}.tmp`);

/**
 * List temporary files of killed starts. A start that was suspended for long may leave such a file even in an ended
 * run.
 */
export const draftsIn = (base: string): string[] => [base, ...runFolders(base)].flatMap(draftsAt);

export const draftsOf = (folder: string, name: string): string[] =>
  draftsAt(folder).filter((path) => path.startsWith(join(folder, `${name}-`)));

/** Only fixpoint gives regular files these names. */
const draftsAt = (folder: string): string[] =>
  refused("read", folder, () => readdirSync(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && draftName.test(entry.name))
    .map(({ name }) => join(folder, name));

interface FlushLater {
  /**
   * Note that the file was written.
   *
   * @param how `isNew`: whether the file was replaced.
   */
  note(how?: { readonly isNew: boolean }): void;
  flush(): Promise<void>;
}

/** @param path Returns the path of the file; called for each flush. */
export function flushLater(path: () => string): FlushLater {
  // Always flush the first time, because a killed start may have left unflushed writes.
  let isDue = true;
  let isNameDue = true;
  return {
    note: ({ isNew } = { isNew: false }) => {
      isDue = true;
      isNameDue ||= isNew;
    },
    flush: async () => {
      if (!isDue) return;
      const isNamed = isNameDue;
      isDue = false;
      isNameDue = false;
      try {
        const place = path();
        await flushed(openRegular(place, constants.O_RDONLY), flushContent);
        if (isNamed) await flushed(openSync(dirname(place), constants.O_RDONLY), flushWhole);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
        isDue = true;
        isNameDue = isNamed;
        throw error;
      }
    },
  };
}

async function flushed(file: number, flush: (file: number) => Promise<void>): Promise<void> {
  try {
    await flush(file);
  } finally {
    closeSync(file);
  }
}

const flushWhole = promisify(fsync);
