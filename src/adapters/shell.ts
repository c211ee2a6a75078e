import { closeSync } from "node:fs";
import type { CommandResult, Shell } from "../ports.ts";
import { findCommand } from "./find-command.ts";
import { openOutput } from "./open-output.ts";
import { readTail } from "./read-tail.ts";
import { type CommandOptions, type Environment, runCommand } from "./run-command.ts";
import { scrubEnvironment } from "./scrub-environment.ts";

export interface ShellOptions {
  /** Absolute folder in which commands run. */
  readonly workspace: string;
  /** Variables beside those of this process, which are given without secrets. */
  readonly env?: Environment;
  /** What its processes have to end by themselves before they are killed (5 s by default). */
  readonly graceMs?: number;
}

/** Runs Verify commands with `sh -c`; see `runCommand` for what is ended with them. */
export function shell({ workspace, env = {}, graceMs }: ShellOptions): Shell {
  const known = new Map<string, Promise<boolean>>();
  const options = { cwd: workspace, env: { ...scrubEnvironment(process.env), ...env }, graceMs };
  return {
    run: (command, { timeoutMs }, signal) => runInShell(command, { ...options, timeoutMs }, signal),
    exists(word) {
      const answer = known.get(word) ?? isCommand(word, options);
      known.set(word, answer);
      return answer;
    },
  };
}

async function runInShell(command: string, options: CommandOptions, signal: AbortSignal): Promise<CommandResult> {
  const stdout = openOutput();
  const stderr = openOutput();
  try {
    const { ended, exitCode, durationMs } = await runCommand(
      "sh",
      ["-c", command],
      { ...options, stdout, stderr },
      signal,
    );
    return {
      exitCode: ended === "exit" ? exitCode : null,
      stdout: readTail(stdout, keptBytes),
      stderr: readTail(stderr, keptBytes),
      durationMs,
      timedOut: ended === "timeout",
    };
  } finally {
    closeSync(stdout);
    closeSync(stderr);
  }
}

const keptBytes = 64 * 1024;

async function isCommand(word: string, options: Omit<CommandOptions, "timeoutMs">): Promise<boolean> {
  if (findCommand(word, options.cwd, options.env["PATH"]) !== null) return true;
  // Some shells take any path for a command, runnable or not.
  if (word === "" || word.includes("/")) return false;
  const args = ["-c", 'command -v -- "$1"', "sh", word];
  const { exitCode } = await runCommand("sh", args, { ...options, timeoutMs: 10_000 }, new AbortController().signal);
  return exitCode === 0;
}
