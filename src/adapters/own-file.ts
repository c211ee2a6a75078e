import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { isAbsolute, relative } from "node:path";
import { EnvironmentError } from "../model/errors.ts";
import { type Stamp, stampIn } from "./stamp.ts";

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
