import { lstatSync, rmSync } from "node:fs";
import { InputError } from "../../model/errors.ts";
import { type ExecutionState, StateFile } from "../../model/execution-state.ts";
import { notOwn, readRegular, thingAt } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { writeAtomic } from "../files/write-atomic.ts";

/** What a state file holds. */
export type StateReading =
  | { readonly kind: "absent" }
  | { readonly kind: "read"; readonly state: StateFile }
  | { readonly kind: "corrupt"; readonly cause: unknown };

/**
 * Read `.ralph-state.json`. Limits and types are checked, unknown fields are kept. Another coordinator that ends may
 * remove the file at any moment.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function readStateFile(path: string): StateReading {
  const content = refused("read", path, () => readRegular(path));
  if (content === null) return { kind: "absent" };
  try {
    return { kind: "read", state: StateFile.parse(JSON.parse(content.toString("utf8"))) };
  } catch (cause) {
    return { kind: "corrupt", cause };
  }
}

/**
 * Replace the state file. It is a view: after a crash it is written again from the journal.
 *
 * @param check Called right before the file is replaced; throws when it must stay.
 */
export function writeStateFile(path: string, state: ExecutionState, temporary: string, check = () => {}): void {
  refused("write", path, () =>
    writeAtomic(path, `${JSON.stringify(state, undefined, 2)}\n`, { temporary, durable: false, check }),
  );
}

/** @throws {EnvironmentError} `file-refused` */
export function removeStateFile(path: string): void {
  refused("remove", path, () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) throw notOwn(path, `a regular file, found ${thingAt(found)}`);
    rmSync(path, { force: true });
  });
}

/** The error for a state file that cannot be used and no journal to rebuild it from. */
export const stateCorrupt = (path: string, cause: unknown): InputError =>
  new InputError(`State file missing or corrupt at ${path}`, {
    code: "state-corrupt",
    hint: "Mend or remove it: without it the run starts from the plan as it stands",
    cause,
  });
