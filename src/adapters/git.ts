import { closeSync } from "node:fs";
import { EnvironmentError } from "../model/errors.ts";
import type { Git } from "../ports.ts";
import { openOutput } from "./open-output.ts";
import { readHead } from "./read-head.ts";
import { readTail } from "./read-tail.ts";
import { runCommand } from "./run-command.ts";

/** Reads of the repository around a workspace; a folder without one, and a machine without git, have no HEAD. */
export function git({ workspace }: { readonly workspace: string }): Git {
  let last: { readonly hash: string; readonly abbreviated: string | null } | undefined;
  return {
    async head() {
      const found = readHead(workspace);
      if (found.kind === "none") return null;
      if (found.kind === "unclear") return abbreviate("HEAD", workspace);
      if (found.hash !== last?.hash) {
        last = { hash: found.hash, abbreviated: await abbreviate(found.hash, workspace) };
      }
      return last.abbreviated;
    },
  };
}

/** How short a hash may be only git knows. No hook or monitor of the repository is run for it, and no lock is taken. */
async function abbreviate(revision: string, workspace: string): Promise<string | null> {
  const stdout = openOutput();
  try {
    const { exitCode } = await runCommand(
      "git",
      [
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "core.fsmonitor=",
        "rev-parse",
        "--verify",
        "--short",
        `${revision}^{commit}`,
      ],
      { cwd: workspace, env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" }, stdout, timeoutMs: 30_000 },
      new AbortController().signal,
    );
    return exitCode === 0 ? readTail(stdout, 1024).trimEnd() : null;
  } catch (error) {
    if (error instanceof EnvironmentError && error.code === "command-not-started") return null;
    throw error;
  } finally {
    closeSync(stdout);
  }
}
