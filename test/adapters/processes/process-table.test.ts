import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { parseStat, systemTable } from "../../../src/adapters/processes/process-table.ts";
import { until } from "../../support/until.ts";

const noProcess = 2 ** 30;

describe("parseStat", () => {
  const behind = `Z 3 4 5 6 -1 7 8 9 10 11 12 13 14 15 20 0 2 0 5263 4096 17 ${"0 ".repeat(28)}\n`;

  it.each(["sh", "a b", ") S 1 1", "(", ""])("reads the fields behind the name `%s`", (name) => {
    expect(parseStat(`2 (${name}) ${behind}`)).toEqual({
      parent: 3,
      group: 4,
      session: 5,
      terminal: true,
      threads: 2,
      startedAt: "5263",
      memory: 4096,
    });
  });
});

describe("systemTable", () => {
  it("tells of this process", () => {
    const { memory, startedAt, ...stat } = systemTable.stat(process.pid) ?? parseStat("");
    expect(stat.parent).toBe(process.ppid);
    expect(memory).toBeGreaterThan(0);
    expect(Number(startedAt)).toBeGreaterThan(0);
    expect(systemTable.isListed()).toBe(true);
    const pids = systemTable.pids();
    expect(pids).toEqual(pids.filter(Number.isInteger).toSorted((a, b) => a - b));
    expect(pids).toContain(process.pid);
    expect(systemTable.environment(process.pid)).toBe(readFileSync("/proc/self/environ", "latin1"));
  });

  it("tells nothing of one that is not there", () => {
    expect(systemTable.stat(noProcess)).toBeNull();
    expect(systemTable.environment(noProcess)).toBeNull();
  });

  it("tells the whole environment, however long", async () => {
    const env = { LONG: "x".repeat(100_000), LAST: "ü" };
    const child = spawn("sleep", ["60"], { env: { ...env, PATH: process.env["PATH"] }, stdio: "ignore" });
    const text = Buffer.from(systemTable.environment(child.pid ?? noProcess) ?? "", "latin1").toString();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(text.split("\0")).toEqual(expect.arrayContaining([`LONG=${env.LONG}`, "LAST=ü"]));
  });

  it("tells the newest and the highest id", async () => {
    // Again where others are started meanwhile.
    await until(() => spawn("true", { stdio: "ignore" }).pid === systemTable.newestPid());
    expect(systemTable.highestPid()).toBe(Number(readFileSync("/proc/sys/kernel/pid_max", "utf8")));
  });

  it.each([
    ["is there", null, true],
    ["is another user's", Object.assign(new Error("no"), { code: "EPERM" }), true],
    ["is gone", Object.assign(new Error("no"), { code: "ESRCH" }), false],
    ["is asked for in vain", new Error("no"), false],
    ["is refused without an error", { code: "EPERM" }, false],
  ])("tells whether a group is there: one that %s", (_, refusal, expected) => {
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      if (refusal !== null) throw refusal;
      return true;
    });
    onTestFinished(() => kill.mockRestore());
    expect(systemTable.hasGroup(7)).toBe(expected);
    expect(kill).toHaveBeenCalledWith(-7, 0);
  });
});
