import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../adapters/files/folder.ts";
import { refused } from "../../adapters/files/refused.ts";
import { InputError } from "../../model/errors.ts";

/**
 * Write a file that is not there yet, and the folders above it.
 *
 * @throws {InputError} `tasks-exist`
 * @throws {EnvironmentError} `file-refused`
 */
export function writeNew(path: string, text: string): void {
  if (existsSync(path)) {
    throw new InputError(`Cannot write \`${path}\`, it is there already`, {
      code: "tasks-exist",
      hint: "Name another folder for it, or put that file away",
    });
  }
  // Somebody may have written one at that moment.
  refused("write", path, () => {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag: "wx" });
  });
}
