import { existsSync, writeFileSync } from "node:fs";
import { refused } from "../../../adapters/files/refused.ts";

/**
 * Write a config file, whether one is there or not.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export const writeConfig = (path: string, settings: object): void =>
  refused("write", path, () =>
    // A link that leads nowhere would make a file elsewhere.
    writeFileSync(path, `${JSON.stringify(settings, undefined, 2)}\n`, { flag: existsSync(path) ? "w" : "wx" }),
  );
