import { fstatSync, readFileSync, realpathSync } from "node:fs";
import { EnvironmentError, type InputError } from "../../model/errors.ts";
import { isWithin } from "../files/folder.ts";
import { withOwn } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";

const maxBytes = 1024 * 1024;

/**
 * Read settings of another system; null when there are none.
 *
 * @param folder Absolute folder. A link out of it is refused.
 * @param malformed Makes the error for an unexpected file.
 * @throws {EnvironmentError} `file-refused`
 */
export function readSettings(path: string, folder: string, malformed: (expected: string) => InputError): string | null {
  try {
    const target = realpathSync(path);
    if (!isWithin(target, realpathSync(folder))) throw linkOut(path);
    return withOwn(target, "read", (file) => {
      if (fstatSync(file).size > maxBytes) throw malformed(`expected at most ${maxBytes} bytes`);
      return readFileSync(file, "utf8");
    });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return refused("read", path, () => {
      throw cause;
    });
  }
}

const linkOut = (path: string): EnvironmentError =>
  new EnvironmentError(`Cannot use \`${path}\`, expected a file inside the workspace, not a link out of it`, {
    code: "file-refused",
    hint: "Put the file itself there, then run again to go on",
  });
