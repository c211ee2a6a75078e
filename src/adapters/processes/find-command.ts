import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

/**
 * Find the file of a command name: on the path, or relative to the workspace if the name has a slash.
 *
 * @param path Folders as `PATH` lists them.
 * @returns Its absolute path; null if there is no executable one.
 */
export function findCommand(word: string, workspace: string, path = process.env["PATH"] ?? ""): string | null {
  if (word === "") return null;
  const folders = word.includes("/") ? [""] : path.split(delimiter);
  return folders.map((folder) => resolve(workspace, folder, word)).find(canRun) ?? null;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
