import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { keptBytes, outputPaths } from "../../adapters/command-executor.ts";
import { readTail } from "../../adapters/read-tail.ts";
import { refused } from "../../adapters/refused.ts";
import type { RunStore } from "../../effects/run-memory.ts";

/** Keeps replies in the output folder of a run, where a program that is an executor has left its own already. */
export const replyFiles = (folder: string): Pick<RunStore, "writeOutput" | "readOutput"> => ({
  writeOutput(key, text) {
    const { stdout } = outputPaths(folder, key);
    if (existsSync(stdout) && readTail(stdout, keptBytes) === text) return;
    refused("write", stdout, () => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(stdout, text);
    });
  },
  readOutput: async (key) => readTail(outputPaths(folder, key).stdout, keptBytes),
});
