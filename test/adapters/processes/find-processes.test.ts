import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findProcesses, isLast, type Sought } from "../../../src/adapters/processes/find-processes.ts";
import type { ProcessTable } from "../../../src/adapters/processes/process-table.ts";
import { madeTable, type Row } from "../../support/made-table.ts";

const mark = { A: "1" };
const marked = { environments: ["A=1\0"] };

/** What is found among these processes, and of what `meet` is told meanwhile. */
function foundIn(rows: readonly Row[], sought: Sought, over: Partial<ProcessTable> = {}, known?: Map<number, string>) {
  const met: number[] = [];
  const { alive, unsettled } = findProcesses(sought, known, ({ pid }) => met.push(pid), madeTable(rows, over));
  return { pids: alive.map(({ pid }) => pid), unsettled, met };
}

/** Answers these, one after another, the last again and again. */
const inTurn =
  (given: readonly number[], answers = [...given]) =>
  () =>
    (answers.length > 1 ? answers.shift() : answers[0]) ?? 0;

/** A leader that was started just now, or so long ago that ids may have begun anew. */
const leader = (pid: number, startedAt = performance.now()) => ({ mark, leader: { pid, startedAt } });
const longAgo = -1e9;
const fewIds = { highestPid: () => 1e8 };

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

  it.each<[string, Row[], Sought, number[]]>([
    ["by a mark in front", [{ pid: 7, environments: ["A=1\0B=2\0"] }], { mark }, [7]],
    ["by a mark behind others", [{ pid: 7, environments: ["B=2\0A=1\0"] }], { mark }, [7]],
    ["by all marks", [{ pid: 7, environments: ["B=2\0C=3\0A=1\0"] }], { mark: { A: "1", B: "2" } }, [7]],
    ["by a mark that is not ASCII", [{ pid: 7, environments: ["A=\u00C3\u00BC\0"] }], { mark: { A: "ü" } }, [7]],
    ["not by one mark of two", [{ pid: 7, ...marked }], { mark: { A: "1", B: "2" } }, []],
    ["not by a longer value", [{ pid: 7, environments: ["A=12\0"] }], { mark }, []],
    ["not by a longer name", [{ pid: 7, environments: ["AA=1\0B=2\0BA=1\0"] }], { mark }, []],
    ["not without variables that can be read", [{ pid: 7, environments: [null] }], { mark }, []],
    ["not among those that this one descends from", [{ pid: 7 }], { mark: { OWN: "1" } }, []],
    ["as a child of this one", [{ pid: 7, parent: 3, ...marked }], { mark }, [7]],
    ["not when it is dead", [{ pid: 7, memory: 0, ...marked }], { mark }, []],
    ["when its first thread alone is dead", [{ pid: 7, memory: 0, threads: 2, ...marked }], { mark }, [7]],
    [
      "as what descends from it",
      [
        { pid: 5, parent: 6 },
        { pid: 6, parent: 7 },
        { pid: 7, ...marked },
      ],
      { mark },
      [7, 6, 5],
    ],
    ["in the group of the leader", [{ pid: 7 }, { pid: 8, group: 7 }, { pid: 9 }], leader(7), [7, 8]],
    ["not before the leader", [{ pid: 6, ...marked }, { pid: 7 }], leader(7), [7]],
  ])("finds processes %s", (_, rows, sought, pids) => {
    expect(foundIn(rows, sought)).toEqual({ pids, met: pids, unsettled: false });
  });

  it.each<[string, Sought, Partial<ProcessTable>, number[]]>([
    ["the leader was started long ago", leader(7, longAgo), fewIds, [6, 7]],
    ["the leader has a later id than the newest", leader(7), { newestPid: () => 5 }, [6, 7]],
    ["not where the leader has the newest", leader(7), { newestPid: () => 7 }, [7]],
    ["not where ids last for long", leader(7, longAgo), {}, [7]],
  ])("looks at those with lower ids, too, where ids may have begun anew: %s", (_, sought, over, pids) => {
    expect(foundIn([{ pid: 6, ...marked }, { pid: 7 }], sought, over).pids).toEqual(pids);
  });

  it("finds none in the place of a group that is gone", () => {
    expect(foundIn([{ pid: 7 }], leader(7), { hasGroup: () => false, pids: () => [7] }).pids).toEqual([]);
  });

  it("finds processes where not all that this one descends from are shown", () => {
    const rows = [{ pid: 7, ...marked }];
    const { stat } = madeTable(rows);
    expect(foundIn(rows, { mark }, { stat: (pid) => (pid === 1 ? null : stat(pid)) }).pids).toEqual([7]);
  });

  it("finds what was known and has lost its mark, but no later process of the same id", () => {
    const rows = [
      { pid: 7, startedAt: "noon" },
      { pid: 8, startedAt: "noon" },
    ];
    const known = new Map([
      [7, "noon"],
      [8, "morning"],
    ]);
    expect(foundIn(rows, { mark }, {}, known).pids).toEqual([7]);
    expect(findProcesses({ mark }, known, undefined, madeTable(rows)).alive).toEqual([{ pid: 7, startedAt: "noon" }]);
  });

  it("is unsettled about one without an environment", () => {
    const rows = [
      { pid: 7, environments: ["", "A=1\0"] },
      { pid: 8, parent: 7, environments: ["", "A=1\0"] },
    ];
    expect(foundIn(rows, { mark })).toEqual({ pids: [], met: [], unsettled: true });
    const again = { newestPid: inTurn([9, 10]) };
    expect(foundIn(rows, { mark }, again)).toEqual({ pids: [7, 8], met: [7, 8], unsettled: false });
  });

  it.each([
    ["none is found", [[], [], [7]], [7, 8, 8, 9, 9], { looks: 3, pids: [7], unsettled: false }],
    ["one is found", [[7], [7, 8]], [7, 8], { looks: 1, pids: [7], unsettled: true }],
    ["none is ever found", [[]], Array.from({ length: 50 }, (_, at) => at), { looks: 5, pids: [], unsettled: true }],
  ])("looks again when processes were started meanwhile: %s", (_, lists, newest, { looks, ...expected }) => {
    let count = 0;
    const pids = () => [...(lists[Math.min(count++, lists.length - 1)] ?? [])];
    const rows = [7, 8].map((pid) => ({ pid, ...marked }));
    expect(foundIn(rows, { mark }, { newestPid: inTurn(newest), pids })).toMatchObject(expected);
    expect(count).toBe(looks);
  });

  it.each([
    ["the group of the leader", leader(7), true, [-7]],
    ["nothing when the group is gone", leader(7), false, []],
    ["nothing without a leader", { mark }, true, []],
  ] as const)("finds %s where processes are not listed", (_, sought, hasGroup, pids) => {
    const over = { isListed: () => false, hasGroup: (pid: number) => hasGroup && pid === 7 };
    expect(foundIn([{ pid: 7, ...marked }], sought, over)).toEqual({ pids, met: pids, unsettled: false });
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

  it.each<[string, number, Partial<ProcessTable>, boolean]>([
    ["nothing came behind it", performance.now(), { newestPid: () => 7 }, true],
    ["another came behind it", performance.now(), { newestPid: () => 8 }, false],
    ["ids may have begun anew", longAgo, { newestPid: () => 7, ...fewIds }, false],
    ["processes are not listed", performance.now(), { newestPid: () => 7, isListed: () => false }, false],
  ])("looks at the newest id: %s", (_, startedAt, over, expected) => {
    expect(isLast({ pid: 7, startedAt }, madeTable([], over))).toBe(expected);
  });
});
