import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { isAbsolute, relative } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";

/** A document of a spec that is the spec's own. */
export interface OwnFile {
  /** Where it lies: the path itself, or what a link inside the folder leads to. */
  readonly target: string;
  readonly stamp: Stamp;
}

/**
 * Look at a document. Executors may put anything in its place, so it is looked at each time: it is a regular file with
 * no other name, in the folder, which a link may lead to from there.
 *
 * @param folder Its spec's.
 * @param entry What is at the path.
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
 * Do something with a document that was looked at, unless another thing has taken its place since.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function withOwn<Result>(target: string, access: "read" | "edit", use: (file: number) => Result): Result {
  return withRegular(target, access, (file) => {
    checkOwn(target, fstatSync(file, { bigint: true }));
    return use(file);
  });
}

/**
 * Do something with a file of any number of names, such as one of the run data. Anybody may have put something else in
 * its place: a link is not followed, and a pipe does not keep anybody waiting.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function withRegular<Result>(path: string, access: "read" | "edit", use: (file: number) => Result): Result {
  const file = openRegular(path, access === "read" ? constants.O_RDONLY : constants.O_RDWR);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/** What a regular file holds; null when there is none. @throws {EnvironmentError} `file-refused` */
export function readRegular(path: string): Buffer | null {
  try {
    return withRegular(path, "read", (file) => readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Open a regular file as `withRegular` does; the caller closes the descriptor.
 *
 * @param mode Of a file that is made.
 * @throws {EnvironmentError} `file-refused`
 */
export function openRegular(path: string, flags: number, mode?: number): number {
  let file: number;
  try {
    file = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  } catch (error) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) throw notRegular(path, found);
    throw error;
  }
  const found = fstatSync(file);
  if (found.isFile()) return file;
  closeSync(file);
  throw notRegular(path, found);
}

/** What is at a path, in words. */
export function thingAt(found: Stats | BigIntStats): string {
  if (found.isSymbolicLink()) return "a symbolic link";
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a named pipe";
  if (found.isSocket()) return "a socket";
  return found.isFile() ? "a file" : "a device";
}

function checkOwn(path: string, found: BigIntStats): void {
  if (!found.isFile()) throw notRegular(path, found);
  if (found.nlink > 1n) throw notOwn(path, "a file of its own, not a hard link of another");
}

const notRegular = (path: string, found: Stats | BigIntStats): EnvironmentError =>
  notOwn(path, `a regular file, found ${thingAt(found)}`);

/** The error for what is not the file that was expected at a path. */
export const notOwn = (path: string, expected: string): EnvironmentError =>
  new EnvironmentError(`Cannot use \`${path}\`, expected ${expected}`, {
    code: "file-refused",
    hint: "Put the file itself there, then run again to go on",
  });

/** A file's identity and time; equal ones mean an unchanged file. */
export interface Stamp {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

export const stampIn = ({ ino, size, mtimeNs }: BigIntStats): Stamp => ({ ino, size, mtimeNs });

export const sameStamp = (a: Stamp | undefined, b: Stamp): boolean =>
  a !== undefined && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;

/**
 * Give an open file a time that no other write can leave: the system's own times are as coarse as its clock tick,
 * within which an executor may change a file without changing its time. The owner of the file alone may do so; that of
 * another keeps the system's.
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

/** Seconds; too fine for a clock tick, and within what a file system keeps. */
const ownFraction = 0.000_123;

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
