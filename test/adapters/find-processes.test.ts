import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findProcesses, isLast } from "../../src/adapters/find-processes.ts";

describe("findProcesses", () => {
  it("spares this process and those it descends from, but not its children", async () => {
    const own = readFileSync("/proc/self/environ", "utf8").split("\0");
    const path = own.find((entry) => entry.startsWith("PATH="))?.slice("PATH=".length) ?? "";
    const child = spawn("sleep", ["60"], { env: { PATH: path }, stdio: "ignore" });
    const alive = findProcesses({ mark: { PATH: path } }).alive.map(({ pid }) => pid);
    child.kill();
    expect(alive).toContain(child.pid);
    expect(alive).not.toContain(process.pid);
    expect(alive).not.toContain(process.ppid);
  });
});

describe("isLast", () => {
  it("denies it once another process was started", async () => {
    const startedAt = performance.now();
    const first = spawn("true", { stdio: "ignore" });
    await once(first, "exit");
    await once(spawn("true", { stdio: "ignore" }), "exit");
    expect(isLast({ pid: first.pid ?? 0, startedAt })).toBe(false);
  });

  it("denies it when the start was so long ago that ids may have come round", async () => {
    const child = spawn("true", { stdio: "ignore" });
    await once(child, "exit");
    expect(isLast({ pid: child.pid ?? 0, startedAt: -1e9 })).toBe(false);
  });
});
