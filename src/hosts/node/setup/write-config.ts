import { writeFileSync } from "node:fs";
import { refused } from "../../../adapters/files/refused.ts";

/**
 * Write a config file, whether one is there or not.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export const writeConfig = (path: string, settings: object): void =>
  refused("write", path, () => writeFileSync(path, `${JSON.stringify(settings, undefined, 2)}\n`));
