import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, ftruncateSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";
import { fileNamePart } from "../../model/file-names.ts";
import type { AttemptKey } from "../../model/reply.ts";
import { makeFolder } from "../files/folder.ts";
import { notOwn, openRegular, withRegular } from "../files/own-file.ts";
import { readAt } from "../files/read-own-file.ts";
import { systemError } from "../files/refused.ts";

/**
 * Open an empty file for a stream of a child; the caller closes the descriptor.
 *
 * A child that reopens `/dev/stderr` writes from the start of the file. In append mode, its writes through the
 * descriptor still go to the end.
 *
 * @param path A regular file without further hard links, whose content is lost; anything else is refused. Without a
 * path, the file has no name and disappears when the last process closes it.
 * @throws {EnvironmentError} `output-not-opened`
 */
export function openOutput(path?: string): number {
  if (path === undefined) return openNameless(constants.O_APPEND);
  try {
    const fd = openRegular(path, creating | constants.O_APPEND, ownerOnly);
    try {
      // A file that has another name, too, may belong to someone else.
      if (fstatSync(fd).nlink > 1) throw notOwn(path, "a separate file, not a hard link to another");
      ftruncateSync(fd, 0);
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  } catch (cause) {
    throw new EnvironmentError(
      `Cannot open output \`${path}\` (${systemError(cause)}), expected a regular file that can be written`,
      { code: "output-not-opened", hint: "Remove the entry, or make it writable, then run again", cause },
    );
  }
}

/** @throws {EnvironmentError} `output-not-opened` */
export function makeOutputFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (cause) {
    throw new EnvironmentError(`Cannot make folder \`${path}\` for outputs (${systemError(cause)})`, {
      code: "output-not-opened",
      hint: "Free space, or make the folder writable, then run again",
      cause,
    });
  }
}

/** Open both output files of a child, or neither. Without paths, the files have no names. */
export function openOutputs(paths?: Pick<OutputPaths, "stdout" | "stderr">): { stdout: number; stderr: number } {
  const stdout = openOutput(paths?.stdout);
  try {
    return { stdout, stderr: openOutput(paths?.stderr) };
  } catch (error) {
    closeSync(stdout);
    throw error;
  }
}

/**
 * Open a nameless file with a text or bytes as its content, for a child to read.
 *
 * A pipe would not do: Node's pipes are sockets, which a child cannot open as `/dev/stdin`, and a write into a pipe
 * waits until the child reads.
 *
 * @throws {EnvironmentError} `output-not-opened`
 */
export function openInput(text: string | Buffer): number {
  const fd = openNameless(0);
  const bytes = Buffer.from(text);
  try {
    // Write at explicit positions, so that the descriptor itself stays at the start.
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
    return fd;
  } catch (cause) {
    closeSync(fd);
    throw unwritable(cause);
  }
}

function openNameless(flags: number): number {
  const path = join(tmpdir(), `fixpoint-${randomUUID()}`);
  try {
    const fd = openSync(path, creating | constants.O_EXCL | flags, ownerOnly);
    unlinkSync(path);
    return fd;
  } catch (cause) {
    throw unwritable(cause);
  }
}

const unwritable = (cause: unknown): EnvironmentError =>
  new EnvironmentError(
    `Cannot write to temporary folder \`${tmpdir()}\` (${systemError(cause)}), expected free space for a file`,
    {
      code: "output-not-opened",
      hint: "Free space there, or set TMPDIR to another folder",
      cause,
    },
  );

const creating = constants.O_RDWR | constants.O_CREAT;
const ownerOnly = 0o600;

export interface OutputPaths {
  readonly stdout: string;
  readonly stderr: string;
  /** Path for the final message of an executor that prints more than this message to stdout. */
  readonly message: string;
}

/** Output files of an attempt. No key leads out of the folder. */
export function outputPaths(folder: string, key: AttemptKey): OutputPaths {
  const path = join(folder, fileNamePart(key));
  return { stdout: `${path}.out`, stderr: `${path}.err`, message: `${path}.msg` };
}

/**
 * Read the end of a file as UTF-8. Invalid bytes become U+FFFD, NUL stays. A first line that is cut starts with `…`, so
 * that its rest is not mistaken for a whole line, such as a quoted signal.
 *
 * @param file Path, or descriptor of an open file.
 * @param bytes Maximum length to read.
 * @throws {EnvironmentError} `output-unreadable`
 */
export function readTail(file: string | number, bytes: number): string {
  if (typeof file === "number") return tailOf(file, bytes);
  try {
    return withRegular(file, "read", (fd) => tailOf(fd, bytes));
  } catch (cause) {
    throw new EnvironmentError(`Cannot read output file \`${file}\`, expected a regular file`, {
      code: "output-unreadable",
      cause,
    });
  }
}

const tailOf = (fd: number, bytes: number): string => {
  const { bytes: read, isTorn } = readEnd(fd, bytes);
  return `${isTorn ? "…" : ""}${read.toString()}`;
};

/**
 * Read the end of an open file.
 *
 * @returns The bytes of the end from the first whole character on, and whether the first line is cut.
 */
export function readEnd(fd: number, bytes: number): { readonly bytes: Buffer; readonly isTorn: boolean } {
  const { size } = fstatSync(fd);
  if (size <= bytes) return { bytes: readAt(fd, 0, size), isTorn: false };
  // One extra byte shows whether the cut is between two lines.
  const cut = readAt(fd, size - bytes - 1, bytes + 1);
  const isTorn = cut[0] !== newline;
  return { bytes: cut.subarray(isTorn ? nextCodePoint(cut, 1) : 1), isTorn };
}

const newline = 0x0a;

/** The index of the first code point at or after `from`; `from` itself if the bytes are not UTF-8. */
function nextCodePoint(bytes: Buffer, from: number): number {
  const begins = bytes.subarray(from, from + 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return begins === -1 ? from : from + begins;
}
