import { lstatSync, rmSync } from "node:fs";
import * as z from "zod";
import { InputError } from "../../model/errors.ts";
import { type ExecutionState, StateFile } from "../../model/execution-state.ts";
import { interpreted } from "../../model/interpreted.ts";
import { notOwn, readRegular, thingAt } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { writeAtomic, writeAtomicAside } from "../files/write-atomic.ts";

/** What a state file holds. */
export type StateReading =
  | { readonly kind: "absent" }
  | { readonly kind: "read"; readonly state: StateFile; readonly content: Buffer }
  | { readonly kind: "corrupt"; readonly cause: unknown; readonly content: Buffer };

/**
 * Read `.ralph-state.json`. Limits and types are checked, unknown fields are kept. Another coordinator that ends may
 * remove the file at any moment.
 *
 * @param known An earlier reading, which holds as long as the file has the same bytes.
 * @throws {EnvironmentError} `file-refused`
 */
export function readStateFile(path: string, known: StateReading = absent): StateReading {
  const content = contentOf(path);
  if (content === null) return absent;
  return "content" in known && known.content.equals(content) ? known : readingOf(content);
}

const absent: StateReading = { kind: "absent" };

/** The state file of a run that is at work. After a crash the next start writes it again, from the journal. */
export interface StateFileView {
  /** @throws {EnvironmentError} `file-refused` */
  read(): StateReading;
  /** @throws {EnvironmentError} `file-refused` */
  write(state: ExecutionState): void;
  /**
   * Write it and go on while it is flushed. One at a time; it stands there once this resolves.
   *
   * @throws {EnvironmentError} `file-refused`
   */
  writeAside(state: ExecutionState): Promise<void>;
}

/**
 * The state file of a run. What it wrote, or has read before, is not parsed again.
 *
 * @param temporary File that is written first and then replaces the state file.
 * @param check Called right before that; throws when the state file must stay.
 * @param found What was read of it before.
 */
export function stateFileView(
  path: string,
  temporary: string,
  check: () => void,
  found: StateReading = absent,
): StateFileView {
  let known = found;
  const contentFor = (state: ExecutionState): Buffer => Buffer.from(`${JSON.stringify(state, undefined, 2)}\n`);
  return {
    read: () => {
      known = readStateFile(path, known);
      return known;
    },
    write: (state) => {
      const content = contentFor(state);
      refused("write", path, () => writeAtomic(path, content, { temporary, durable: false, check }));
      known = { kind: "read", state, content };
    },
    writeAside: (state) => {
      const content = contentFor(state);
      return refused("write", path, () => writeAtomicAside(path, content, { temporary, check })).then(() => {
        known = { kind: "read", state, content };
      });
    },
  };
}

const contentOf = (path: string): Buffer | null => refused("read", path, () => readRegular(path));

function readingOf(content: Buffer): StateReading {
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

/** A second line of the error that names the first invalid field; empty where the file is no JSON. The source system words the first line. */
function misfitIn(cause: unknown): string {
  const [misfit] = cause instanceof z.ZodError ? cause.issues : [];
  return misfit === undefined ? "" : `\n${[...misfit.path, misfit.message].join(": ")}`;
}

/** The error for a state file that cannot be used and no journal to rebuild it from. */
export const stateCorrupt = (path: string, cause: unknown): InputError =>
  new InputError(`State file missing or corrupt at ${path}${misfitIn(cause)}`, {
    code: "state-corrupt",
    hint: "Mend or remove it: without it the run starts from the plan as it stands",
    cause,
  });
