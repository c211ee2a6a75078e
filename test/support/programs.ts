import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { findCommand } from "../../src/adapters/processes/shell-command.ts";
import { temporaryFolder, writeScript } from "./folder.ts";

export function programs(names: readonly string[], scripts: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  for (const name of names) symlinkSync(findCommand(name, "/") ?? name, join(folder, name));
  for (const [name, script] of Object.entries(scripts)) writeScript(folder, name, script);
  return folder;
}
