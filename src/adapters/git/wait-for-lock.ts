import { setTimeout as sleep } from "node:timers/promises";
import { plainLine } from "../../markdown/text/plain-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import type { GitEnd } from "./call-git.ts";

const firstPauseMs = 50;
const longestPauseMs = 500;
const maxPath = 4096;

/**
 * Call git again and again while a lock of the repository is in its way. The lock is never removed.
 *
 * @throws {EnvironmentError} `git-locked` when it is still there at the end.
 */
export async function waitForLock(call: () => Promise<GitEnd | null>, timeoutMs: number): Promise<GitEnd | null> {
  const until = performance.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const end = await call();
    const lock = end === null || end.exitCode === 0 ? null : lockIn(end.stderr);
    if (lock === null) return end;
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw locked(lock, timeoutMs);
    await sleep(Math.min(pauseMs, leftMs));
  }
}

/** The lock that a message names, which may be any file of the repository. */
function lockIn(stderr: string): string | null {
  const [before, after] = ["Unable to create '", "': File exists"];
  const from = stderr.indexOf(before);
  const to = stderr.indexOf(after, from);
  return from === -1 || to === -1 ? null : plainLine(stderr.slice(from + before.length, to), maxPath);
}

const locked = (lock: string, timeoutMs: number): EnvironmentError =>
  new EnvironmentError(
    `Cannot commit while \`${lock}\` is there, expected it to be gone within ${timeoutMs / 1000} s`,
    {
      code: "git-locked",
      hint: "Another git holds this lock, or one that crashed has left it: you may remove it once no git runs there, fixpoint never does",
    },
  );
