import { resolve } from "node:path";
import type { Config } from "./config.ts";

/**
 * The absolute folder in which commands work.
 *
 * @param given On the command line, relative to the current folder.
 * @param folder The current folder, which is the default; a workspace in the file is relative to the file instead.
 */
export function chooseWorkspace(given: string | undefined, config: Config | null, folder: string): string {
  if (given !== undefined) return resolve(folder, given);
  const ofFile = config?.settings.cwd;
  return config === null || ofFile === undefined ? folder : resolve(config.folder, ofFile);
}
