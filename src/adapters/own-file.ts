import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
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
 * Do something with a document that was looked at, unless another thing has taken its place since. A link is not
 * followed, and a pipe does not keep anybody waiting.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function withOwn<Result>(target: string, access: "read" | "edit", use: (file: number) => Result): Result {
  const mode = access === "read" ? constants.O_RDONLY : constants.O_RDWR;
  const file = openSync(target, mode | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    checkOwn(target, fstatSync(file, { bigint: true }));
    return use(file);
  } finally {
    closeSync(file);
  }
}

function checkOwn(path: string, found: BigIntStats): void {
  if (!found.isFile()) throw notOwn(path, "a regular file");
  if (found.nlink > 1n) throw notOwn(path, "a file of its own, not a hard link of another");
}

const notOwn = (path: string, expected: string): EnvironmentError =>
  new EnvironmentError(`Cannot use \`${path}\`, expected ${expected}`, {
    code: "file-refused",
    hint: "Put the file itself there, then run again to go on",
  });
