import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Ancestry } from "../../../src/adapters/processes/ancestry.ts";
import { identifyProcess } from "../../../src/adapters/processes/process-identity.ts";
import { forgetEndedCalls, recordCall, recordedCallsOf } from "../../../src/adapters/user/call-record.ts";
import { temporaryFolder } from "../../support/folder.ts";

let base = "";
beforeEach(() => {
  base = temporaryFolder();
  vi.stubEnv("XDG_STATE_HOME", base);
  onTestFinished(() => void vi.unstubAllEnvs());
});

const names = (): string[] => readdirSync(join(base, "fixpoint", "calls"));
const call = { spec: "/spec", key: "1.1#1" };
const keysOf = (ancestry: Ancestry): string[] => recordedCallsOf(ancestry).map(({ key }) => key);
const relative = (pid: number, pidStart: string | null, second: number | null = null) => ({
  ...{ pid, parent: 1, group: pid, session: pid },
  ...{ terminal: false, pidStart, second },
});

function living(): number {
  const child = spawn("sleep", ["60"], { stdio: "ignore", detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child.pid ?? 0;
}

describe("the record of a call", () => {
  it("is there until the call ends, for what comes from its process", () => {
    const pid = living();
    const record = recordCall(call);
    record.begin(pid);
    const start = identifyProcess(pid)?.pidStart ?? "";
    expect(names()).toEqual([`${pid}-${start}.json`]);
    expect(keysOf({ line: [relative(2, "1"), relative(pid, start)], ended: [] })).toEqual(["1.1#1"]);
    expect(keysOf({ line: [relative(pid, "1")], ended: [2] })).toEqual([]);
    expect(keysOf({ line: [], ended: [pid] })).toEqual(["1.1#1"]);
    const now = Date.now() / 1000;
    expect(keysOf({ line: [relative(pid, null, now)], ended: [] })).toEqual(["1.1#1"]);
    expect(keysOf({ line: [relative(pid, null, now + 60)], ended: [] })).toEqual([]);
    forgetEndedCalls("/spec");
    expect(names()).toHaveLength(1);
    record.end();
    record.end();
    expect(names()).toEqual([]);
  });

  it("is forgotten when its process has ended", async () => {
    const child = spawn("true", { stdio: "ignore", detached: true });
    recordCall(call).begin(child.pid ?? 0);
    await once(child, "exit");
    forgetEndedCalls("/other");
    expect(names()).toEqual([]);
  });

  it("counts without a process once the coordinator was killed, until a start of its spec", () => {
    recordCall(call);
    const [name = ""] = names();
    const pid = living();
    const ancestry = { line: [relative(pid, identifyProcess(pid)?.pidStart ?? "")], ended: [] };
    expect(keysOf(ancestry)).toEqual([]);
    const path = join(base, "fixpoint", "calls", name);
    const recorded = JSON.parse(readFileSync(path, "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...recorded, coordinator: { pid: 2 ** 30, pidStart: "1" } }));
    expect(keysOf(ancestry)).toEqual(["1.1#1"]);
    forgetEndedCalls("/other");
    expect(names()).toHaveLength(1);
    forgetEndedCalls("/spec");
    expect(names()).toEqual([]);
  });

  it("is none where nothing can be recorded, and where files are others", () => {
    const pid = living();
    const ancestry = { line: [], ended: [pid] };
    recordCall(call).begin(pid);
    for (const name of names()) writeFileSync(join(base, "fixpoint", "calls", name), "{}");
    expect(keysOf(ancestry)).toEqual([]);
    vi.stubEnv("XDG_STATE_HOME", "/dev/null");
    const record = recordCall(call);
    record.begin(pid);
    record.end();
    expect(keysOf(ancestry)).toEqual([]);
    forgetEndedCalls("/spec");
  });
});
