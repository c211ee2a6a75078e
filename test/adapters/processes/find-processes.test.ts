import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Sought, searchFor } from "../../../src/adapters/processes/find-processes.ts";
import type { ProcessTable } from "../../../src/adapters/processes/process-table.ts";
import { madeTable, type Row } from "../../support/made-table.ts";

const mark = { A: "1" };
const marked = { environments: ["A=1\0"] };

function foundIn(rows: readonly Row[], sought: Sought, over: Partial<ProcessTable> = {}, hasGroup = true) {
  const met: number[] = [];
  const table = madeTable(rows, over);
  const { alive, unsettled } = searchFor(
    sought,
    () => table,
    () => hasGroup,
  )(({ pid }) => met.push(pid));
  return { pids: alive.map(({ pid }) => pid), unsettled, met };
}

function looksAt(sought: Sought, tables: readonly (readonly Row[])[], over: Partial<ProcessTable> = {}) {
  const left = tables.map((rows) => madeTable(rows, over));
  const look = searchFor(
    sought,
    () => left.shift() ?? null,
    () => true,
  );
  return tables.map(() => look().alive);
}

const inTurn =
  (given: readonly number[], answers = [...given]) =>
  () =>
    (answers.length > 1 ? answers.shift() : answers[0]) ?? 0;

const leader = (pid: number, startedAt = performance.now(), pidStart: string | null = null) => ({
  mark,
  leader: { pid, pidStart, startedAt },
});
const longAgo = -1e9;
const fewIds = { highestPid: () => 1e8 };

describe("searchFor", () => {
  it("spares this process and its ancestors, but not its children", async () => {
    const own = readFileSync("/proc/self/environ", "utf8").split("\0");
    const path = own.find((entry) => entry.startsWith("PATH="))?.slice("PATH=".length) ?? "";
    const child = spawn("sleep", ["60"], { env: { PATH: path }, stdio: "ignore" });
    const alive = searchFor({ mark: { PATH: path } })().alive.map(({ pid }) => pid);
    child.kill();
    expect(alive).toContain(child.pid);
    expect(alive).not.toContain(process.pid);
    expect(alive).not.toContain(process.ppid);
  });

  it.each<[string, Row[], Sought, number[]]>([
    ["by a mark before others", [{ pid: 7, environments: ["A=1\0B=2\0"] }], { mark }, [7]],
    ["by a mark after others", [{ pid: 7, environments: ["B=2\0A=1\0"] }], { mark }, [7]],
    ["by all marks", [{ pid: 7, environments: ["B=2\0C=3\0A=1\0"] }], { mark: { A: "1", B: "2" } }, [7]],
    ["by a mark that is not ASCII", [{ pid: 7, environments: ["A=\u00C3\u00BC\0"] }], { mark: { A: "ü" } }, [7]],
    ["not by one mark of two", [{ pid: 7, ...marked }], { mark: { A: "1", B: "2" } }, []],
    ["not by a longer value", [{ pid: 7, environments: ["A=12\0"] }], { mark }, []],
    ["not by a longer name", [{ pid: 7, environments: ["AA=1\0B=2\0BA=1\0"] }], { mark }, []],
    ["not without variables that can be read", [{ pid: 7, environments: [null] }], { mark }, []],
    ["not among ancestors of this process", [{ pid: 7 }], { mark: { OWN: "1" } }, []],
    ["as a child of this process", [{ pid: 7, parent: 3, ...marked }], { mark }, [7]],
    ["not when it is dead", [{ pid: 7, isDead: true, ...marked }], { mark }, []],
    [
      "as a descendant",
      [
        { pid: 5, parent: 6 },
        { pid: 6, parent: 7 },
        { pid: 7, ...marked },
      ],
      { mark },
      [7, 6, 5],
    ],
    ["in the group of the leader", [{ pid: 7 }, { pid: 8, group: 7 }, { pid: 9 }], leader(7), [7, 8]],
    ["not with a lower id than the leader", [{ pid: 6, ...marked }, { pid: 7 }], leader(7), [7]],
  ])("finds processes %s", (_, rows, sought, pids) => {
    expect(foundIn(rows, sought)).toEqual({ pids, met: pids, unsettled: false });
  });

  it.each<[string, Sought, Partial<ProcessTable>, number[]]>([
    ["the leader was started long ago", leader(7, longAgo), fewIds, [6, 7]],
    ["the leader has a later id than the newest", leader(7), { newestPid: () => 5 }, [6, 7]],
    ["not if the leader has the highest id", leader(7), { newestPid: () => 7 }, [7]],
    ["not if ids are reused late", leader(7, longAgo), {}, [7]],
  ])("includes lower ids if ids may have wrapped around: %s", (_, sought, over, pids) => {
    expect(foundIn([{ pid: 6, ...marked }, { pid: 7 }], sought, over).pids).toEqual(pids);
  });

  it("finds none in place of a group that is gone", () => {
    expect(foundIn([{ pid: 7 }], leader(7), { newestPid: () => 5 }, false).pids).toEqual([]);
  });

  it("finds processes if not all ancestors of this one are listed", () => {
    const rows = [{ pid: 7, ...marked }];
    const { find } = madeTable(rows);
    expect(foundIn(rows, { mark }, { find: (pid) => (pid === 1 ? null : find(pid)) }).pids).toEqual([7]);
  });

  it("finds an unmarked process that an earlier scan found, but no later process with the same id", () => {
    const rows = (pidStart: string, more: Partial<Row>) => [7, 8].map((pid) => ({ pid, pidStart, ...more }));
    const later = [...rows("noon", {}).slice(0, 1), ...rows("night", {}).slice(1)];
    expect(looksAt({ mark }, [rows("noon", marked), later])).toEqual([
      [7, 8].map((pid) => ({ pid, startedAt: "noon" })),
      [{ pid: 7, startedAt: "noon" }],
    ]);
  });

  it("reads others' processes only once, unless ids may have wrapped around", () => {
    const rows = [{ pid: 7 }, { pid: 8, ...marked }];
    const count = (over: Partial<ProcessTable>) => {
      let reads = 0;
      const table = madeTable(rows, over);
      const find = (pid: number) => {
        if (pid === 7) reads++;
        return table.find(pid);
      };
      const look = searchFor({ mark }, () => ({ ...table, find }));
      for (let at = 0; at < 3; at++) expect(look().alive).toMatchObject([{ pid: 8 }]);
      return reads;
    };
    expect([count({}), count({ highestPid: () => 0 })]).toEqual([1, 3]);
  });

  it("takes another's process as a descendant once its parent is found", () => {
    const rows = (environment: string, parent: number) => [
      { pid: 7, environments: [environment] },
      { pid: 8, parent },
    ];
    const pids = (parent: number) =>
      looksAt({ mark }, [rows("", 7), rows("A=1\0", parent)]).map((found) => found.map(({ pid }) => pid));
    expect([pids(7), pids(1)]).toEqual([
      [[], [7, 8]],
      [[], [7]],
    ]);
  });

  it("does not read the environment of processes started before the leader", () => {
    const rows = [
      { pid: 6, pidStart: "99", ...marked },
      { pid: 7, pidStart: "100", ...marked },
    ];
    const pids = (pidStart: string | null) => foundIn(rows, leader(7, longAgo, pidStart), fewIds, false).pids;
    expect([pids("100"), pids(null)]).toEqual([[7], [6, 7]]);
  });

  it("is unsettled about a process without an environment", () => {
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
  ])("scans again if processes were started meanwhile: %s", (_, lists, newest, { looks, ...expected }) => {
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
  ] as const)("finds %s if processes are not listed", (_, sought, hasGroup, pids) => {
    const met: number[] = [];
    const look = searchFor(
      sought,
      () => null,
      (pid) => hasGroup && pid === 7,
    );
    const { alive, unsettled } = look(({ pid }) => met.push(pid));
    expect({ pids: alive.map(({ pid }) => pid), met, unsettled }).toEqual({ pids, met: pids, unsettled: false });
  });

  it("finds the whole group in a snapshot, unless all in it are dead", () => {
    const rows = [{ pid: 7 }, { pid: 8, group: 7 }, { pid: 9, parent: 8 }];
    const snapshot = { isSnapshot: true, newestPid: () => 0, highestPid: () => 0, environment: () => null };
    expect(foundIn(rows, leader(7), snapshot)).toMatchObject({ pids: [-7, 9], unsettled: false });
    expect(foundIn([{ pid: 7, isDead: true }], leader(7), snapshot).pids).toEqual([]);
  });
});
