import { describe, expect, it } from "vitest";
import type { GitEnd } from "../../../src/adapters/git/call-git.ts";
import { waitForLock } from "../../../src/adapters/git/wait-for-lock.ts";

const ended = (stderr: string, exitCode = 128): GitEnd => ({ exitCode, stdout: "", stderr });
const lock = "fatal: Unable to create '/a/.git/index.lock': File exists.\n\nAnother git process seems to be running\n";
const hourMs = 3_600_000;

/** Wait for calls that end like this, the last one again and again; answers the end and when they were made. */
async function waited(ends: readonly (GitEnd | null)[], timeoutMs: number) {
  const calls: number[] = [];
  const end = await waitForLock(async () => {
    calls.push(performance.now());
    return ends[Math.min(calls.length, ends.length) - 1] ?? null;
  }, timeoutMs);
  return { end, calls };
}

describe("waitForLock", () => {
  it.each<[string, GitEnd | null]>([
    ["with success, whatever it says", ended(lock, 0)],
    ["with another failure", ended("fatal: not a git repository\n")],
    ["with a message that breaks off", ended("fatal: Unable to create '/a/.git/index.lock': Permission denied\n")],
    ["with the end of such a message alone", ended("fatal: cannot copy '/a': File exists\n")],
    ["with no git at all", null],
  ])("calls once when a call ends %s", async (_, end) => {
    const found = await waited([end, ended("again")], hourMs);
    expect(found.end).toBe(end);
    expect(found.calls).toHaveLength(1);
  });

  it("calls again, later each time, until the lock is gone", async () => {
    const last = ended("", 0);
    const { end, calls } = await waited([...Array<GitEnd>(4).fill(ended(lock)), last], hourMs);
    expect(end).toBe(last);
    expect(calls).toHaveLength(5);
    const pauses = calls.slice(1).map((at, index) => at - (calls[index] ?? 0));
    // A timer may fire a millisecond early.
    expect(pauses.map((pauseMs, index) => pauseMs > 50 * 2 ** index - 2)).toEqual([true, true, true, true]);
  });

  it.each([0, 120])("gives up after %i ms, and names the lock in plain characters", async (timeoutMs) => {
    const startedAt = performance.now();
    const held = ended("error: x': File exists\nfatal: Unable to create '/a\u001B[2J\nb/HEAD.lock': File exists.\n");
    await expect(waited([held], timeoutMs)).rejects.toMatchObject({
      name: "EnvironmentError",
      code: "git-locked",
      message: `Cannot commit while \`/a b/HEAD.lock\` is there, expected it to be gone within ${timeoutMs / 1000} s`,
      hint: expect.stringContaining("you may remove it once no git runs there"),
    });
    expect(performance.now() - startedAt).toBeGreaterThan(timeoutMs - 2);
  });
});
