import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { endProcess, identifyProcess, isAlive } from "../../../src/adapters/processes/process-identity.ts";

function sleeper() {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const pid = child.pid as number;
  return { pid, identity: identifyProcess(pid), end: once(child, "exit") };
}

describe("a process", () => {
  it("is identified by its id and its start, whatever its name", async () => {
    // This name imitates the end of a name in `/proc/<pid>/stat` and the next fields.
    const child = spawn("sh", ["-c", "printf 'a) R 1 (b' > /proc/self/comm; read -r _"], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    const pid = child.pid as number;
    const before = identifyProcess(pid);
    await expect.poll(() => spawnSync("cat", [`/proc/${pid}/comm`]).stdout.toString()).toContain("a) R 1 (b");
    expect(before).toEqual({ pid, pidStart: expect.stringMatching(/^[1-9]\d*$/) });
    expect(identifyProcess(pid)).toEqual(before);
    expect(isAlive({ pid, pidStart: before?.pidStart ?? "" })).toBe(true);
    expect(isAlive({ pid, pidStart: "1" })).toBe(false);
    expect(isAlive({ pid, pidStart: null })).toBe(true);
    child.stdin?.end();
    await once(child, "exit");
    expect(identifyProcess(pid)).toBeNull();
    expect(isAlive({ pid, pidStart: null })).toBe(false);
  });

  it("is missing once it is a zombie", async () => {
    // Becomes a zombie: ends once its parent is `sleep`, which does not wait for child processes.
    const short = "sh -c 'until grep -q sleep /proc/$PPID/comm; do sleep 0.01; done'";
    const child = spawn("sh", ["-c", `${short} & echo $!; exec sleep 60`], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [printed] = (await once(child.stdout, "data")) as [Buffer];
    const zombie = Number(printed.toString());
    await expect.poll(() => identifyProcess(zombie)).toBeNull();
    expect(() => process.kill(zombie, 0)).not.toThrow();
  });

  it("is signalled if it is the same one", async () => {
    const { pid, identity, end } = sleeper();
    endProcess({ pid, pidStart: "1" });
    const kill = vi.spyOn(process, "kill");
    endProcess({ pid: 2 ** 22 - 1, pidStart: null });
    expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual([]);
    kill.mockRestore();
    expect(isAlive({ pid, pidStart: identity?.pidStart ?? "" })).toBe(true);
    endProcess({ pid, pidStart: identity?.pidStart ?? "" });
    expect(await end).toEqual([null, "SIGTERM"]);
  });

  it.each([
    ["ESRCH", undefined],
    ["EPERM", "signal-refused"],
  ])("that cannot be signalled is reported, unless it has just ended: %s", (code, told) => {
    const { pid, identity } = sleeper();
    const refusal = Object.assign(new Error(`kill ${code}`), { code });
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      throw refusal;
    });
    onTestFinished(() => kill.mockRestore());
    const end = () => endProcess({ pid, pidStart: identity?.pidStart ?? "" });
    if (told === undefined) expect(end).not.toThrow();
    else {
      const message = `Cannot end process ${pid}: kill EPERM`;
      const hint = expect.stringContaining("owner");
      expect(end).toThrow(expect.objectContaining({ code: told, message, hint, cause: refusal }));
    }
    kill.mockRestore();
  });
});
