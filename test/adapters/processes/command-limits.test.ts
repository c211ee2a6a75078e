import { getEventListeners } from "node:events";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { CommandOptions } from "../../../src/adapters/processes/run-command.ts";
import { commandOptions as options, sh } from "../../support/command-options.ts";
import { livingWith } from "../../support/processes.ts";
import { stopClock } from "../../support/stop-clock.ts";

const ended = { exitCode: null, signal: "SIGTERM" } as const;
const deaf = "while :; do sleep 0.02; done";

function watched(seen: (given: CommandOptions, times: number) => boolean, over: Partial<CommandOptions> = {}) {
  let times = 0;
  const given = options({
    ...over,
    look: (hasPrinted) => {
      times += hasPrinted ? 1 : 0;
      return hasPrinted && seen(given, times);
    },
  });
  return given;
}

describe("the limits of a command", () => {
  it("include time from its start, even for a program that prints all the time", async () => {
    const leap = stopClock();
    const seen = (_: unknown, times: number) => {
      // `look` is called once more when the time limit is reached.
      if (times <= 3) leap(1000);
      return false;
    };
    const given = watched(seen, { timeoutMs: 3000, idleTimeoutMs: 2000 });
    const end = await sh("while :; do echo .; sleep 0.02; done", given);
    expect(end).toStrictEqual({ ...ended, ended: "timeout", limit: 3000, durationMs: 3000 });
  });

  it("include silence since the last output", async () => {
    const leap = stopClock();
    const seen = ({ cwd }: CommandOptions, times: number) => {
      leap(times < 3 ? 4999 : 5000);
      writeFileSync(`${cwd}/${times}`, "");
      return false;
    };
    const given = watched(seen, { timeoutMs: 600_000, idleTimeoutMs: 5000 });
    const end = await sh("for n in 1 2 3; do echo $n; until [ -e $n ]; do sleep 0.02; done; done; sleep 60", given);
    expect(end).toStrictEqual({ ...ended, ended: "idle", limit: 5000, durationMs: 14_998 });
  });

  it("permit output up to the limit", async () => {
    stopClock();
    const given = watched(() => true, { outputCapBytes: 1000 });
    const end = await sh("printf %0600d 0; printf %0400d 0 >&2; sleep 60", given);
    expect(end).toStrictEqual({ ...ended, ended: "idle", durationMs: 0 });
  });

  it("apply to a program whose output is discarded", async () => {
    const leap = stopClock();
    const { stdout: _out, stderr: _err, ...given } = options();
    const running = sh("echo dropped; echo dropped >&2; sleep 60", given);
    leap(given.timeoutMs);
    expect(await running).toMatchObject({ ended: "timeout", limit: given.timeoutMs });
    expect(await sh("echo dropped; echo dropped >&2; exit 4", given)).toMatchObject({ exitCode: 4, ended: "exit" });
  });

  it("report the duration, and no limit if none ended it", async () => {
    const before = performance.now();
    const { durationMs, ...end } = await sh("sleep 0.01", options());
    expect(end).toStrictEqual({ exitCode: 0, signal: null, ended: "exit" });
    expect(durationMs).toBeGreaterThanOrEqual(10);
    expect(durationMs).toBeLessThanOrEqual(Math.ceil(performance.now() - before));
  });
});

describe("the grace period of a command", () => {
  it.each([100, 8000])("lasts %i ms, as given, before the command is killed", async (graceMs) => {
    const leap = stopClock();
    const seen = (_: unknown, times: number) => {
      // The first output reports the start, and the next output reports the signal.
      if (times === 2) leap(graceMs);
      return times === 1;
    };
    const end = await sh(`trap 'echo told' TERM; echo begun; ${deaf}`, watched(seen, { graceMs }));
    expect(end).toStrictEqual({ exitCode: null, signal: "SIGKILL", ended: "idle", durationMs: graceMs });
  });

  it.each([
    [600_000, 1500],
    [100, 100],
  ])("of %i ms is at most 1.5 s for its child processes", async (graceMs, mostMs) => {
    const leap = stopClock();
    const seen = (_: unknown, times: number) => {
      // The first output means that the signal has arrived; a child process may print more.
      if (times === 1) leap(mostMs);
      return false;
    };
    const left = `sh -c "trap 'echo told' TERM; : > ready; ${deaf}" & until [ -e ready ]; do sleep 0.02; done`;
    const given = watched(seen, { graceMs });
    expect(await sh(left, given)).toMatchObject({ exitCode: 0, ended: "exit" });
    expect(livingWith(given.mark)).toEqual([]);
  });
});

describe("an ended command", () => {
  it.each(["exit 0", "kill -KILL $$"])("is no longer watched: %s", async (script) => {
    const { signal } = new AbortController();
    const running = sh(script, options(), signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await running;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("is an error if a process of the command survives SIGKILL", async () => {
    // Load the modules again, because the old ones kill surviving processes again when this program ends.
    vi.resetModules();
    onTestFinished(() => void vi.resetModules());
    const { runCommand } = await import("../../../src/adapters/processes/run-command.ts");
    const leap = stopClock();
    const { signal } = new AbortController();
    const given = watched(() => {
      setTimeout(leap, 0, 60_000);
      return true;
    });
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    onTestFinished(() => {
      kill.mockRestore();
      for (const pid of livingWith(given.mark)) process.kill(pid, "SIGKILL");
    });
    const running = runCommand("sh", ["-c", "echo begun; sleep 60"], given, signal);
    await expect(running).rejects.toMatchObject({ code: "processes-left" });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  describe("with output that could not be written", () => {
    function full() {
      const stdout = openSync("/dev/full", "a");
      onTestFinished(() => closeSync(stdout));
      return { stdout };
    }

    it("is an error", async () => {
      await expect(sh("exit 0", options(full()))).rejects.toMatchObject({ code: "output-not-written" });
      await expect(sh("kill -KILL $$", options(full()))).rejects.toMatchObject({ code: "output-not-written" });
    });

    it("is no error if the output does not matter: it was ended for a flood, or by its caller", async () => {
      const flood = options({ ...full(), outputCapBytes: 1000 });
      expect(await sh("yes >&2", flood)).toMatchObject({ ended: "flood" });
      const stop = new AbortController();
      const running = sh("sleep 60", options(full()), stop.signal);
      stop.abort();
      expect(await running).toMatchObject({ ended: "signal" });
    });
  });
});
