import { fstatSync, lstatSync, readSync, rmSync, writeSync } from "node:fs";
import * as z from "zod";
import { InputError } from "../../model/errors.ts";
import { type ExecutionState, StateFile } from "../../model/execution-state.ts";
import { interpreted } from "../../model/parse-json.ts";
import { notOwn, readRegular, thingAt, withRegular } from "../files/own-file.ts";
import { refused, refusedAside } from "../files/refused.ts";
import type { SpecFiles } from "../files/spec-files.ts";

export type StateReading =
  | { readonly kind: "absent" }
  | { readonly kind: "read"; readonly state: StateFile; readonly content: Buffer }
  | { readonly kind: "corrupt"; readonly cause: unknown; readonly content: Buffer };

/**
 * Read `.ralph-state.json`. Validates limits and types, and keeps unknown fields. Another coordinator may remove the
 * file at any moment, when it ends.
 *
 * @param known An earlier reading, returned again if the bytes of the file are the same.
 * @throws {EnvironmentError} `file-refused`
 */
export function readStateFile(path: string, known: StateReading = absent): StateReading {
  const content = contentOf(path);
  if (content === null) return absent;
  return readingOf(content, known);
}

const absent: StateReading = { kind: "absent" };

/** State file during a run. After a crash, the next start rebuilds it from the journal. */
export interface StateFileView {
  /**
   * Change the digits in place, without a flush, if only digits differ; otherwise flush and replace the file. Call it
   * again only after the previous call has ended.
   *
   * @param describe Makes the new state from the file's content.
   * @throws {EnvironmentError} `file-refused`
   */
  update(describe: DescribeState): Promise<void>;
  /**
   * Flush and replace the file. Call it again only after the previous call has ended.
   *
   * @throws {EnvironmentError} `file-refused`
   */
  replace(describe: DescribeState): Promise<void>;
}

type DescribeState = (found: StateReading) => ExecutionState;

/** @param found An earlier reading, so that unchanged content is not parsed again. */
export function stateFileView(path: string, files: SpecFiles, found: StateReading = absent): StateFileView {
  let known = found;
  const replace: StateFileView["replace"] = async (describe) => {
    known = readStateFile(path, known);
    const state = describe(known);
    const content = contentFor(state);
    await refusedAside("write", path, () => files.replaceAside(path, content, "state"));
    known = { kind: "read", state, content };
  };
  /**
   * Change digits in place. The file keeps its length and disk blocks, so a reader, or a start after a power cut, finds
   * a complete file, with old or new digits.
   *
   * @returns False if the file must be replaced instead.
   */
  const changeDigits = (describe: DescribeState): boolean => {
    if (known.kind !== "read") return false;
    const before = known.content;
    const change = (file: number): boolean => {
      if (!holds(file, before)) return false;
      const state = describe(known);
      const content = contentFor(state);
      const span = changedDigits(before, content);
      if (span === null) return false;
      const count = files.edit(() => writeSync(file, content, span.from, span.length, span.from));
      if (count < span.length) return false;
      known = { kind: "read", state, content };
      return true;
    };
    return refused("write", path, () => {
      try {
        return withRegular(path, "edit", change);
      } catch (error) {
        if (notEditable.has((error as NodeJS.ErrnoException).code)) return false;
        throw error;
      }
    });
  };
  return {
    replace,
    update: async (describe) => {
      if (!changeDigits(describe)) await replace(describe);
    },
  };
}

const contentFor = (state: ExecutionState): Buffer => Buffer.from(`${JSON.stringify(state, undefined, 2)}\n`);

function changedDigits(before: Buffer, after: Buffer): { readonly from: number; readonly length: number } | null {
  if (before.length !== after.length) return null;
  let from = before.length;
  let to = 0;
  for (let at = 0; at < before.length; at += 1) {
    if (before[at] === after[at]) continue;
    if (!isDigit(before[at]) || !isDigit(after[at])) return null;
    from = Math.min(from, at);
    to = at + 1;
  }
  return { from, length: Math.max(0, to - from) };
}

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39;

/** Error codes of a file that cannot be edited, but may be replaced. */
const notEditable: ReadonlySet<string | undefined> = new Set(["ENOENT", "EACCES", "EPERM"]);

/** Return whether a file has exactly this content and no further hard link, which may be a backup. */
function holds(file: number, content: Buffer): boolean {
  if (fstatSync(file).nlink > 1) return false;
  const there = Buffer.allocUnsafe(content.length + 1);
  return readSync(file, there, 0, there.length, 0) === content.length && content.equals(there.subarray(0, -1));
}

const contentOf = (path: string): Buffer | null => refused("read", path, () => readRegular(path));

function readingOf(content: Buffer, known: StateReading): StateReading {
  if ("content" in known && known.content.equals(content)) return known;
  try {
    return { kind: "read", state: StateFile.parse(JSON.parse(content.toString("utf8")), interpreted), content };
  } catch (cause) {
    return { kind: "corrupt", cause, content };
  }
}

/** @throws {EnvironmentError} `file-refused` */
export function removeStateFile(path: string): void {
  refused("remove", path, () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) throw notOwn(path, `a regular file, found ${thingAt(found)}`);
    rmSync(path, { force: true });
  });
}

/** Return the second line of the error, which names the first invalid field; empty if the file is not JSON. */
function misfitIn(cause: unknown): string {
  const [misfit] = cause instanceof z.ZodError ? cause.issues : [];
  return misfit === undefined ? "" : `\n${[...misfit.path, misfit.message].join(": ")}`;
}

export const stateCorrupt = (path: string, cause: unknown): InputError =>
  new InputError(`State file missing or corrupt at ${path}${misfitIn(cause)}`, {
    code: "state-corrupt",
    hint: "Fix or remove the file: without it, the run starts from the current plan",
    cause,
  });
