import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readOwnFile } from "./read-own-file.ts";
import { refused } from "./refused.ts";

/**
 * Names of the logs of members of batches that lie in the folder of a spec, `1.9` before `1.10`. What is no regular file
 * of its own is passed over.
 */
export function memberLogsIn(folder: string): string[] {
  const names = refused("read", folder, () => readdirSync(folder)).filter((name) => name.startsWith(".progress-task-"));
  return names.filter((name) => readOwnFile(join(folder, name)) !== null).sort(byNumber);
}

const { compare: byNumber } = new Intl.Collator("en", { numeric: true });
