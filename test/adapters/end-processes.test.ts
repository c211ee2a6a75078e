import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { endProcesses } from "../../src/adapters/end-processes.ts";
import { livingWith } from "../support/processes.ts";

/** A left-over process with these variables, as a killed coordinator leaves it. */
function leaveOver(script: string, variables: Record<string, string>) {
  return spawn("sh", ["-c", script], { env: { ...process.env, ...variables }, detached: true, stdio: "ignore" });
}

describe("endProcesses", () => {
  it("ends what carries all marks, and nothing that carries one of them", async () => {
    const spec = `/specs/${Math.random()}`;
    const sought = { FIXPOINT_SPEC: spec, FIXPOINT_KEY: "1.3#2" };
    const ours = leaveOver("setsid sleep 60; true", sought);
    const others = [
      leaveOver("exec sleep 60", { ...sought, FIXPOINT_SPEC: `${spec}-b` }),
      leaveOver("exec sleep 60", { ...sought, FIXPOINT_KEY: "1.3#20" }),
      leaveOver("exec sleep 60", { FIXPOINT_SPEC: spec }),
    ];
    await sleep(50);
    const ended = once(ours, "exit");
    expect(await endProcesses({ mark: sought }, { graceMs: 500 })).toContain(ours.pid);
    await ended;
    expect(livingWith(spec).toSorted()).toEqual(others.map(({ pid }) => pid).toSorted());
    for (const other of others) other.kill("SIGKILL");
  });

  it("kills what is deaf to SIGTERM", async () => {
    const mark = { FIXPOINT_KEY: String(Math.random()) };
    const child = leaveOver("trap '' TERM; while :; do sleep 0.05; done", mark);
    await sleep(100);
    const ended = once(child, "exit");
    await endProcesses({ mark }, { graceMs: 100 });
    expect(await ended).toEqual([null, "SIGKILL"]);
  });

  it("ends what a marked process has started without the mark", async () => {
    const seconds = `60.${process.pid}1`;
    const mark = { FIXPOINT_KEY: String(Math.random()) };
    const deaf = `env -i setsid sh -c 'trap "" TERM; while :; do sleep 0.05; done; '${seconds}`;
    const child = leaveOver(`${deaf} & wait`, mark);
    await sleep(200);
    const ended = once(child, "exit");
    await endProcesses({ mark }, { graceMs: 200 });
    await ended;
    expect(livingWith(seconds)).toEqual([]);
  });

  it("tells a process that is stopped before it kills it", async () => {
    const mark = { FIXPOINT_KEY: String(Math.random()) };
    const child = leaveOver("trap 'exit 3' TERM; kill -STOP $$; sleep 60", mark);
    await sleep(100);
    const ended = once(child, "exit");
    await endProcesses({ mark });
    expect(await ended).toEqual([3, null]);
  });

  it("takes a zombie in the group for dead", async () => {
    const seconds = `60.${process.pid}`;
    // The parent of the zombie has left the group, lost its mark and never waits.
    const script = `sh -c 'true & exec env -i setsid sleep ${seconds}' & sleep 0.05`;
    const child = leaveOver(script, {});
    await once(child, "exit");
    const leader = { pid: child.pid ?? 0, startedAt: performance.now() };
    expect(await endProcesses({ mark: { FIXPOINT_KEY: "none" }, leader }, { graceMs: 100 })).toEqual([]);
    for (const pid of livingWith(seconds)) process.kill(pid, "SIGKILL");
  });

  it("reports what lives on after SIGKILL", async () => {
    const mark = { FIXPOINT_KEY: String(Math.random()) };
    const child = leaveOver("exec sleep 60", mark);
    // Stands for a process in uninterruptible sleep, or of another user.
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    const refused = {
      code: "processes-left",
      blame: "environment",
      message: expect.stringContaining(`\`${child.pid}\``),
    };
    await expect(endProcesses({ mark }, { graceMs: 10 })).rejects.toThrow(expect.objectContaining(refused));
    kill.mockRestore();
    child.kill("SIGKILL");
  });

  it("answers that it found none", async () => {
    expect(await endProcesses({ mark: { FIXPOINT_KEY: "no such key" } })).toEqual([]);
  });
});
