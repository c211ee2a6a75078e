import { closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { openOutput } from "../../../adapters/processes/open-output.ts";
import { readTail } from "../../../adapters/processes/read-tail.ts";
import { runCommand } from "../../../adapters/processes/run-command.ts";

const timeoutMs = 15_000;
const keptBytes = 4096;
const outputCapBytes = 16 * 1024 * 1024;

/**
 * Start a program with `--version`.
 *
 * @param program Its absolute path.
 * @returns The version it names, or why there is none.
 */
export async function askVersion(
  program: string,
  signal: AbortSignal,
): Promise<{ readonly version: string } | { readonly reason: string }> {
  const stdout = openOutput();
  try {
    // Outside of the workspace, so that nothing in there can change the answer.
    const options = { cwd: tmpdir(), env: process.env, stdout, timeoutMs, outputCapBytes };
    const { ended, exitCode } = await runCommand(program, ["--version"], options, signal);
    const [version] = /\b\d{1,10}(?:\.\d{1,10}){1,3}(?:-[\w.]{1,40})?/.exec(readTail(stdout, keptBytes)) ?? [];
    if (ended === "timeout") return { reason: `its --version did not end within ${timeoutMs / 1000} s` };
    if (exitCode !== 0) return { reason: `its --version ended with exit code ${exitCode}` };
    return version === undefined ? { reason: "its --version prints no version" } : { version };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    closeSync(stdout);
  }
}
