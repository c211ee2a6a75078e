import { existsSync } from "node:fs";
import { makeFolder } from "../../../adapters/files/folder.ts";
import { refused } from "../../../adapters/files/refused.ts";
import { type OutputPaths, outputPaths } from "../../../adapters/processes/open-output.ts";
import { keepMessage, keptBytes } from "../../../adapters/processes/read-reply.ts";
import { readTail } from "../../../adapters/processes/read-tail.ts";
import type { RunStore } from "../../../effects/run-memory.ts";

/**
 * Keep replies in the output folder of a run. A program that is an executor has already put its own there.
 *
 * @param checkFence Throws when this coordinator no longer holds the spec; called before anything is written.
 */
export const replyFiles = (
  folder: string,
  checkFence: () => void = () => {},
): Pick<RunStore, "writeOutput" | "readOutput"> => ({
  writeOutput(key, text) {
    const paths = outputPaths(folder, key);
    const file = fileOf(paths);
    if (existsSync(file) && readTail(file, keptBytes) === text) return;
    checkFence();
    refused("write", paths.message, () => makeFolder(folder));
    keepMessage(paths.message, text);
  },
  readOutput: async (key) => readTail(fileOf(outputPaths(folder, key)), keptBytes),
});

/** The final message is the whole stdout unless it has a file of its own. */
const fileOf = ({ message, stdout }: OutputPaths): string => (existsSync(message) ? message : stdout);
