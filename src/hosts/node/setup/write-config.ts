import { existsSync, writeFileSync } from "node:fs";
import { refused } from "../../../adapters/files/refused.ts";

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
