import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, shortPath } from "../../adapters/files/folder.ts";
import { refused } from "../../adapters/files/refused.ts";
import type { SpecFiles } from "../../adapters/files/spec-files.ts";
import { draftPath } from "../../adapters/files/write-atomic.ts";
import type { Journal as OpenJournal } from "../../adapters/journal/journal.ts";
import { planName } from "../../adapters/journal/read-journal.ts";
import { type OutputPaths, outputPaths, readTail } from "../../adapters/processes/open-output.ts";
import { keepMessage, keptBytes } from "../../adapters/processes/read-reply.ts";
import type { RunStore } from "../../effects/run-memory.ts";
import type { Journal } from "../../ports/journal.ts";

export const outputFolder = ({ folder }: Pick<OpenJournal, "folder">): string => join(folder, "out");

/** Journal of a run in files: its records, the replies, and a copy of the plan. */
export const fileJournal = (opened: OpenJournal, files: SpecFiles): Journal & OpenJournal => ({
  ...opened,
  ...replyFiles(outputFolder(opened), files.check),
  copy: planCopy(opened, files),
});

const planCopy = ({ folder }: Pick<OpenJournal, "folder">, files: Pick<SpecFiles, "replace">): Journal["copy"] => {
  const path = join(folder, planName);
  return {
    keep: (text) =>
      refused("write", path, () => files.replace(path, text, { draft: draftPath(folder, planName), durable: false })),
    path: shortPath(process.cwd(), path),
  };
};

/**
 * Store replies in the output folder of a run. An executor that is a program has already written its reply to that
 * folder.
 *
 * @param check Throws when this coordinator no longer holds the spec; called before each write.
 */
export const replyFiles = (
  folder: string,
  check: () => void = () => {},
): Pick<RunStore, "writeOutput" | "readOutput"> => ({
  writeOutput(key, text) {
    const paths = outputPaths(folder, key);
    const file = fileOf(paths);
    if (existsSync(file) && readTail(file, keptBytes) === text) return;
    check();
    refused("write", paths.message, () => makeFolder(folder));
    keepMessage(paths.message, text);
  },
  readOutput: async (key) => readTail(fileOf(outputPaths(folder, key)), keptBytes),
});

/** The final message is the whole stdout unless it has a separate file. */
const fileOf = ({ message, stdout }: OutputPaths): string => (existsSync(message) ? message : stdout);
