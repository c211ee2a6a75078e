import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../adapters/files/folder.ts";
import { refused } from "../../adapters/files/refused.ts";
import { InputError } from "../../model/errors.ts";

/**
 * Write a new file, and create the folders above it.
 *
 * @throws {InputError} `tasks-exist`
 * @throws {EnvironmentError} `file-refused`
 */
export function writeNew(path: string, text: string): void {
  if (existsSync(path)) {
    throw new InputError(`Cannot write \`${path}\`: it exists already`, {
      code: "tasks-exist",
      hint: "Name another folder, or move the existing file away",
    });
  }
  // `wx` fails if another process has just written the file.
  refused("write", path, () => {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag: "wx" });
  });
}

/**
 * Write a config file, or replace an existing one.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export const writeConfig = (path: string, settings: object): void =>
  refused("write", path, () =>
    // `wx` does not follow a dangling link, which would create a file elsewhere.
    writeFileSync(path, `${JSON.stringify(settings, undefined, 2)}\n`, { flag: existsSync(path) ? "w" : "wx" }),
  );
