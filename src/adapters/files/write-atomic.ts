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

/** How a file is replaced. */
interface AtomicWrite<Mark> {
  /** Path of the file that is written first, on the same file system. One left over by a crash is overwritten. */
  readonly temporary: string;
  /** Whether a power cut leaves the new content once this returns; else it may leave the old one. */
  readonly durable: boolean;
  /** Mode of a new file (0644 by default). */
  readonly mode?: number;
  /** Called with the descriptor of the whole new file. */
  readonly mark?: (file: number) => Mark;
  /**
   * Called right before the old file is replaced. Throws when the old file must stay, or when another process has
   * removed the new one.
   */
  readonly check?: () => void;
}

/**
 * Replace a file so that a reader, a crash or a power cut finds either all of the old or all of the new content. A link
 * is not followed: the file replaces the link.
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
    // Else the name might reach the disk before the content.
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
 * Replace a file likewise, and let this thread go on while the new one is flushed. It is written when this returns, and
 * has replaced the old one when that resolves.
 *
 * @throws Where the new file cannot be written.
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

/** Write a new file with the mode of the one it is to replace. */
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

/** Open a new file in place of one that a crash has left. */
function openNew(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    rmSync(path, { force: true });
    return openSync(path, "wx", 0o600);
  }
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

/** Distinguishes the drafts of this process from those of others, also of one with the same id on another host. */
const mark = `${process.pid}-${randomUUID().slice(0, 8)}`;

const draftName =
  /^(?:replacement|state|journal-\d+\.ndjson|plan\.md|snapshot\.json|untracked\.json)-\d+-[0-9a-f]{8}\.tmp$/;

/**
 * Where a file is written before it replaces another. Whoever takes the spec over removes it.
 *
 * @param name `replacement`, `state`, or the file's own in the folder of a run.
 */
export const draftPath = (folder: string, name: string): string => join(folder, `${name}-${mark}.tmp`);

/**
 * Drafts that killed starts have left. A start that was suspended for long may leave one even in a run that others have
 * ended.
 */
export const draftsIn = (base: string): string[] => [base, ...runFolders(base)].flatMap(draftsAt);

/** Drafts of one file that killed starts have left. */
export const draftsOf = (folder: string, name: string): string[] =>
  draftsAt(folder).filter((path) => path.startsWith(join(folder, `${name}-`)));

/** Nobody but fixpoint gives a regular file such a name. */
const draftsAt = (folder: string): string[] =>
  refused("read", folder, () => readdirSync(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && draftName.test(entry.name))
    .map(({ name }) => join(folder, name));

/** Flushes a file some time after it was written. */
interface FlushLater {
  /** Say that the file was written. @param isNew Whether another file has taken its place. */
  note(how?: { readonly isNew: boolean }): void;
  /** Bring the file to the disk if it was written since the last flush. */
  flush(): Promise<void>;
}

/** @param path Gives the path of the file. Called when it is flushed. */
export function flushLater(path: () => string): FlushLater {
  // A start that was killed may have left something unflushed.
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
