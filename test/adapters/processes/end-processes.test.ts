import { spawn } from "node:child_process";
import { once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { endProcesses, killProcesses } from "../../../src/adapters/processes/end-processes.ts";
import {
  type FoundProcesses,
  type Search,
  type Sought,
  searchFor,
} from "../../../src/adapters/processes/find-processes.ts";
import { processSources } from "../../support/process-sources.ts";
import { isStopped, livingWith, statesIn } from "../../support/processes.ts";
import { stopClock } from "../../support/stop-clock.ts";
import { until } from "../../support/until.ts";

function leaveOver(script: string, variables: Record<string, string>) {
  return spawn("sh", ["-c", script], {
    env: { ...process.env, ...variables },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

async function leaveOverOnceItPrints(script: string, variables: Record<string, string>) {
  const child = leaveOver(script, variables);
  await once(child.stdout, "data");
  return child;
}

describe.each(processSources)("endProcesses by %s", (_, open) => {
  const end = async (sought: Sought, graceMs?: number) =>
    endProcesses(sought, { look: searchFor(sought, open), ...(graceMs !== undefined && { graceMs }) });

  it("ends processes with all marks, and none with only one of them", async () => {
    const spec = `/specs/${Math.random()}`;
    const sought = { FIXPOINT_SPEC: spec, FIXPOINT_KEY: "1.3#2" };
    const ours = leaveOver("setsid sleep 60; true", sought);
    const others = [
      leaveOver("exec sleep 60", { ...sought, FIXPOINT_SPEC: `${spec}-b` }),
      leaveOver("exec sleep 60", { ...sought, FIXPOINT_KEY: "1.3#20" }),
      leaveOver("exec sleep 60", { FIXPOINT_SPEC: spec }),
    ];
    await until(() => livingWith(spec).length === 1 + 1 + others.length);
    const ended = once(ours, "exit");
    expect(await end({ mark: sought }, 500)).toContain(ours.pid);
    await ended;
    // Retry, because a process that calls `exec` has no environment for a moment.
    await until(() => isDeepStrictEqual(livingWith(spec).toSorted(), others.map(({ pid }) => pid).toSorted()));
    for (const other of others) other.kill("SIGKILL");
  });

  it("kills processes that ignore SIGTERM", async () => {
    const mark = { FIXPOINT_KEY: String(Math.random()) };
    const child = await leaveOverOnceItPrints("trap '' TERM; echo deaf; while :; do sleep 0.05; done", mark);
    const ended = once(child, "exit");
    await end({ mark }, 100);
    expect(await ended).toEqual([null, "SIGKILL"]);
  });

  it("ends an unmarked child of a marked process", async () => {
    const seconds = `60.${process.pid}1`;
    const mark = { FIXPOINT_KEY: String(Math.random()) };
    const deaf = `env -i setsid sh -c 'trap "" TERM; echo deaf; while :; do sleep 0.05; done; '${seconds}`;
    const child = await leaveOverOnceItPrints(`${deaf} & wait`, mark);
    const ended = once(child, "exit");
    await end({ mark }, 200);
    await ended;
    expect(livingWith(seconds)).toEqual([]);
  });

  it("signals a stopped process before it kills it", async () => {
    const mark = { FIXPOINT_KEY: String(Math.random()) };
    const child = leaveOver("trap 'exit 3' TERM; kill -STOP $$; sleep 600", mark);
    await until(() => isStopped(child.pid ?? 0));
    const ended = once(child, "exit");
    await end({ mark }, 300_000);
    expect(await ended).toEqual([3, null]);
  });

  it("treats a zombie in the group as dead", async () => {
    const seconds = `60.${process.pid}`;
    // Creates a zombie: its parent has left the group, lost its mark, and never waits.
    const child = leaveOver(`sh -c 'true & exec env -i setsid sleep ${seconds}' &`, {});
    await once(child, "exit");
    await until(() => isDeepStrictEqual(statesIn(child.pid ?? 0), ["Z"]));
    const leader = { pid: child.pid ?? 0, pidStart: null, startedAt: performance.now() };
    expect(await end({ mark: { FIXPOINT_KEY: "none" }, leader }, 100)).toEqual([]);
    for (const pid of livingWith(seconds)) process.kill(pid, "SIGKILL");
  });

  it("reports processes that survive SIGKILL", async () => {
    const mark = { FIXPOINT_KEY: String(Math.random()) };
    const child = leaveOver("exec sleep 60", mark);
    // A `kill` without effect simulates a process in uninterruptible sleep, or of another user.
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    const refused = {
      code: "processes-left",
      blame: "environment",
      message: expect.stringContaining(`\`${child.pid}\``),
    };
    await expect(end({ mark }, 10)).rejects.toThrow(expect.objectContaining(refused));
    kill.mockRestore();
    child.kill("SIGKILL");
  });

  it("returns that it found none", async () => {
    expect(await end({ mark: { FIXPOINT_KEY: "no such key" } })).toEqual([]);
  });
});

interface Look extends Partial<FoundProcesses> {
  readonly takesMs?: number;
  readonly pids?: readonly number[];
}

function looksAt(looks: readonly Look[]) {
  const leap = stopClock();
  const notes: string[] = [];
  const kill = vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    notes.push(`${String(signal)} ${pid}`);
    return true;
  });
  onTestFinished(() => kill.mockRestore());
  let count = 0;
  const look: Search = (meet) => {
    const { takesMs = 0, pids = [], alive, unsettled = false } = looks[Math.min(count, looks.length - 1)] ?? {};
    count += 1;
    const found = alive ?? pids.map((pid) => ({ pid, startedAt: "noon" }));
    for (const process of found) meet?.(process);
    leap(takesMs);
    notes.push("looked");
    return { alive: found, unsettled };
  };
  return { look, notes, count: () => count };
}

const none = { mark: {} };
const told = (pid: number) => [`SIGTERM ${pid}`, `SIGCONT ${pid}`];

describe("the scans of endProcesses", () => {
  it.each<[string, Look[], string[]]>([
    [
      "signal each process once",
      [{ pids: [7] }, { pids: [7, 8] }, {}],
      ["looked", ...told(7), "looked", ...told(8), "looked"],
    ],
    [
      "signal a later process of the same id",
      [{ pids: [7] }, { alive: [{ pid: 7, startedAt: "night" }] }, {}],
      ["looked", ...told(7), "looked", ...told(7), "looked"],
    ],
    [
      "kill at once any process found after the grace period",
      [{ pids: [7], takesMs: 100 }, { pids: [7] }, {}],
      ["looked", ...told(7), "SIGKILL 7", "looked", "looked"],
    ],
    [
      "kill nothing before the grace is over",
      [{ pids: [7], takesMs: 99 }, { pids: [7], takesMs: 1 }, { pids: [7] }, {}],
      ["looked", ...told(7), "looked", "SIGKILL 7", "looked", "looked"],
    ],
    [
      "kill after the search any process found first",
      [{ takesMs: 100, unsettled: true }, { pids: [7] }, {}],
      ["looked", "looked", "SIGKILL 7", "looked"],
    ],
  ])("%s", async (_, looks, expected) => {
    const { look, notes } = looksAt(looks);
    await endProcesses(none, { graceMs: 100, look });
    expect(notes).toEqual(expected);
  });

  it.each<[string, Look[], { pids: number[]; looks: number }]>([
    ["at the first that finds none", [{}], { pids: [], looks: 1 }],
    ["when a process that it missed is gone", [{ unsettled: true }, { pids: [7] }, {}], { pids: [7], looks: 3 }],
    ["not while a process is alive", [{ pids: [7], unsettled: true }, { pids: [7] }, {}], { pids: [7], looks: 3 }],
    ["after ten scans that may have missed a process", [{ unsettled: true, takesMs: 20 }], { pids: [], looks: 10 }],
    ["after 20 ms of scans that may have missed a process", [{ unsettled: true, takesMs: 1 }], { pids: [], looks: 21 }],
    [
      "after ten unsettled scans without a find",
      [
        { unsettled: true, takesMs: 5 },
        { pids: [7], takesMs: 100 },
        { unsettled: true, takesMs: 5 },
      ],
      { pids: [7], looks: 12 },
    ],
    [
      "after 20 ms of unsettled scans without a find",
      [{ unsettled: true, takesMs: 100 }, { pids: [7] }, { unsettled: true, takesMs: 1 }],
      { pids: [7], looks: 23 },
    ],
  ])("end %s", async (_, looks, { pids, looks: most }) => {
    const { look, count } = looksAt(looks);
    expect(await endProcesses(none, { graceMs: 10_000, look })).toEqual(pids);
    expect(count()).toBe(most);
  });

  it("give up two seconds after the grace period, and list all that is left", async () => {
    const { look, count } = looksAt([{ pids: [7, 8], takesMs: 2100 }, { pids: [7, 8], takesMs: 1 }, { pids: [7, 8] }]);
    await expect(endProcesses(none, { graceMs: 100, look })).rejects.toMatchObject({
      message: "Cannot end processes `7, 8`, expected them to be gone after SIGKILL",
      hint: expect.stringMatching(/by hand/),
    });
    expect(count()).toBe(3);
  });

  it("do not give up while none is found", async () => {
    const { look } = looksAt([{ takesMs: 1000, unsettled: true }]);
    expect(await endProcesses(none, { graceMs: 100, look })).toEqual([]);
  });
});

describe("killProcesses", () => {
  const kills = (...pids: number[]) => pids.map((pid) => `SIGKILL ${pid}`);

  it.each<[string, Look[], string[]]>([
    ["scans once if there is none", [{}], ["looked"]],
    ["kills each once", [{ pids: [7] }], ["looked", ...kills(7), "looked"]],
    [
      "kills processes started meanwhile",
      [{ pids: [7] }, { pids: [7, 8] }, {}],
      ["looked", ...kills(7), "looked", ...kills(8), "looked"],
    ],
    [
      "kills a later process of the same id",
      [
        { pids: [7] },
        {
          alive: [
            { pid: 7, startedAt: "night" },
            { pid: 8, startedAt: "night" },
          ],
        },
        {},
      ],
      ["looked", ...kills(7), "looked", ...kills(7, 8), "looked"],
    ],
    [
      "ends after ten scans if new processes keep appearing",
      Array.from({ length: 20 }, (_, pid) => ({ pids: [pid] })),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((pid) => ["looked", ...kills(pid)]),
    ],
  ])("%s", (_, looks, expected) => {
    const { look, notes } = looksAt(looks);
    killProcesses(none, look);
    expect(notes).toEqual(expected);
  });
});
