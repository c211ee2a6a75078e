import {
  type BigIntStats,
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  writeSync,
} from "node:fs";
import { isAbsolute, relative } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";

export interface OwnFile {
  /** Real path of the document: the path itself, or the target of a link inside the folder. */
  readonly target: string;
  readonly stamp: Stamp;
}

/**
 * Check a document at each use, because executors may replace it at any time. The document must be a regular file in
 * the folder without further hard links, or a link in the folder to such a file.
 *
 * @param folder Folder of the document's spec.
 * @param entry Stats of the path.
 * @throws {EnvironmentError} `file-refused`
 */
export function lookAtOwn(path: string, folder: string, entry: BigIntStats): OwnFile {
  if (!entry.isSymbolicLink()) {
    checkOwn(path, entry);
    return { target: path, stamp: stampIn(entry) };
  }
  const target = realpathSync(path);
  const way = relative(realpathSync(folder), target);
  if (way.startsWith("..") || isAbsolute(way))
    throw notOwn(path, "a file inside the spec folder, not a link out of it");
  const found = lstatSync(target, { bigint: true });
  checkOwn(path, found);
  return { target, stamp: stampIn(found) };
}

/**
 * Open and use a checked document. Checks it again, because it may have been replaced.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function withOwn<Result>(
  target: string,
  access: "read" | "edit",
  use: (file: number, found: BigIntStats) => Result,
): Result {
  const file = openAny(target, flagsFor(access));
  try {
    const found = fstatSync(file, { bigint: true });
    checkOwn(target, found);
    return use(file, found);
  } finally {
    closeSync(file);
  }
}

/**
 * Use a file that may have several hard links, such as a file of the run data. Links are not followed, and a pipe does
 * not block, because the file may have been replaced.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function withRegular<Result>(path: string, access: "read" | "edit", use: (file: number) => Result): Result {
  const file = openRegular(path, flagsFor(access));
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/**
 * @returns Null if the file does not exist.
 * @throws {EnvironmentError} `file-refused`
 */
export function readRegular(path: string): Buffer | null {
  try {
    return withRegular(path, "read", (file) => readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Open a regular file like `withRegular`; the caller closes the descriptor.
 *
 * @param mode Mode of a new file.
 * @throws {EnvironmentError} `file-refused`
 */
export function openRegular(path: string, flags: number, mode?: number): number {
  const file = openAny(path, flags, mode);
  const found = fstatSync(file);
  if (found.isFile()) return file;
  closeSync(file);
  throw notRegular(path, found);
}

const flagsFor = (access: "read" | "edit"): number => (access === "read" ? constants.O_RDONLY : constants.O_RDWR);

/** Open any entry except a link. A pipe does not block. */
function openAny(path: string, flags: number, mode?: number): number {
  try {
    return openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  } catch (error) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) throw notRegular(path, found);
    throw error;
  }
}

export function thingAt(found: Stats | BigIntStats): string {
  if (found.isSymbolicLink()) return "a symbolic link";
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a named pipe";
  if (found.isSocket()) return "a socket";
  return found.isFile() ? "a file" : "a device";
}

function checkOwn(path: string, found: BigIntStats): void {
  if (!found.isFile()) throw notRegular(path, found);
  if (found.nlink > 1n) throw notOwn(path, "a separate file, not a hard link to another");
}

export const notRegular = (path: string, found: Stats | BigIntStats): EnvironmentError =>
  notOwn(path, `a regular file, found ${thingAt(found)}`);

export const notOwn = (path: string, expected: string): EnvironmentError =>
  new EnvironmentError(`Cannot use \`${path}\`, expected ${expected}`, {
    code: "file-refused",
    hint: "Replace it with a regular file, then run again to resume",
  });

/** Equal stamps mean an unchanged file. */
export interface Stamp {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

export const stampIn = ({ ino, size, mtimeNs }: BigIntStats): Stamp => ({ ino, size, mtimeNs });

export function stampOf(path: string): Stamp | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return found && stampIn(found);
}

export const sameStamp = (a: Stamp | undefined, b: Stamp): boolean =>
  a !== undefined && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;

/**
 * Set the time of an open file to a time that no other write produces, because an executor may change a file twice
 * within one clock tick. Only the owner of a file can do this; other files keep the system time.
 */
export function markOwn(file: number): Stamp {
  const now = Date.now() / 1000;
  try {
    futimesSync(file, now, now + ownFraction);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
  return stampIn(fstatSync(file, { bigint: true }));
}

/**
 * Write bytes in place into a checked document, unless it was changed after `stamp`.
 *
 * @param length Number of bytes to replace.
 * @param margin Number of bytes to read before and after the replaced bytes.
 * @param change Makes the new bytes from the bytes read. The new bytes must lie within one page, so that a kill leaves
 *   all or none of them written.
 * @returns Undefined if another process changed the file after `stamp`, or during the write.
 */
export function writeInPlace(
  target: string,
  { at, length, margin = 0, change, stamp, durable }: InPlaceWrite,
): Stamp | undefined {
  return withOwn(target, "edit", (file, found) => {
    // Without this check, a file that another process replaced would get our stamp, and never be read again.
    if (!sameStamp(stamp, found)) return undefined;
    const there = Buffer.alloc(length + 2 * margin);
    readSync(file, there, 0, there.length, at - margin);
    const content = change(there);
    if (content === undefined) return undefined;
    const before = Number(found.size);
    try {
      // A disk may accept only part of a write, and report the reason at the next write.
      for (let done = 0; done < content.length; ) {
        done += writeSync(file, content, done, content.length - done, at + done);
      }
    } catch (error) {
      writeSync(file, there, margin, length, at);
      ftruncateSync(file, before);
      throw error;
    }
    const size = Math.max(before, at + content.length);
    const written = markOwn(file);
    if (durable) fdatasyncSync(file);
    return written.size === BigInt(size) ? written : undefined;
  });
}

interface InPlaceWrite {
  readonly at: number;
  readonly length: number;
  readonly margin?: number;
  readonly change: (there: Buffer) => Buffer | undefined;
  readonly stamp: Stamp | undefined;
  /** Whether to flush the write before returning. */
  readonly durable: boolean;
}

/**
 * Fraction of a second in our stamps: smaller than a clock tick, and representable in file systems, so no other write
 * produces it.
 */
const ownFraction = 0.000_123;
