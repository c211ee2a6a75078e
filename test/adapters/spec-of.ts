import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileStore } from "../../src/adapters/documents/file-store.ts";
import { specFiles } from "../../src/adapters/files/spec-files.ts";
import { temporaryFolder } from "../support/folder.ts";

export function specOf(files: Readonly<Record<string, string | Buffer>>) {
  const folder = temporaryFolder();
  const dataFolder = join(folder, ".fixpoint");
  mkdirSync(dataFolder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return {
    at: (name: string): string => join(folder, name),
    text: (name: string): string => readFileSync(join(folder, name), "utf8"),
    bytes: (name: string): Buffer => readFileSync(join(folder, name)),
    open: (check = (): void => {}) =>
      fileStore({ folder, dataFolder, files: specFiles(dataFolder, { checkFence: check, checkHeld: check }) }),
  };
}
