import { closeSync } from "node:fs";
import { onTestFinished } from "vitest";
import { openOutput } from "../../src/adapters/processes/open-output.ts";
import { type CommandOptions, runCommand } from "../../src/adapters/processes/run-command.ts";
import { temporaryFolder } from "./folder.ts";

export const never = new AbortController().signal;

/** A unique environment variable identifies the processes without the code under test. */
export function commandOptions(over: Partial<CommandOptions> = {}) {
  const mark = `TEST_MARK=${Math.random()}`;
  const stdout = openOutput();
  const stderr = openOutput();
  onTestFinished(() => {
    closeSync(stdout);
    closeSync(stderr);
  });
  const env = { ...process.env, TEST_MARK: mark.slice("TEST_MARK=".length) };
  return { mark, cwd: temporaryFolder(), env, stdout, stderr, timeoutMs: 600_000, graceMs: 300, ...over };
}

export const endedOncePrinted = (over: Partial<CommandOptions> = {}) =>
  commandOptions({ ...over, look: (hasPrinted) => hasPrinted });

export const sh = (script: string, given: CommandOptions, signal = never) =>
  runCommand("sh", ["-c", script], given, signal);
