import { closeSync } from "node:fs";
import { openOutput } from "../../adapters/open-output.ts";
import { readTail } from "../../adapters/read-tail.ts";
import { runCommand } from "../../adapters/run-command.ts";

const keptBytes = 4096;
/** Who says so and where, as dash and bash put it: `sh: 1: ` and `sh: line 1: `. */
const speaker = /^[^:\n]*: (?:line )?\d+: /;

/**
 * What the shell has to say against a command, which is read and not executed; null when it takes it.
 *
 * @throws {EnvironmentError} `command-not-started`
 */
export async function findSyntaxError(command: string, workspace: string, signal: AbortSignal): Promise<string | null> {
  const stderr = openOutput();
  try {
    // As its input: some shells execute what `-c` gives them even with `-n`.
    const options = { cwd: workspace, env: process.env, stdin: `${command}\n`, stderr, timeoutMs: 10_000 };
    const { exitCode } = await runCommand("sh", ["-n"], options, signal);
    if (exitCode === 0 || exitCode === null) return null;
    const [line = ""] = readTail(stderr, keptBytes).split("\n");
    return line.replace(speaker, "");
  } finally {
    closeSync(stderr);
  }
}
