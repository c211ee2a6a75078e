import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { findAncestry, parseListing } from "../../../src/adapters/processes/ancestry.ts";
import { systemTable } from "../../../src/adapters/processes/process-table.ts";
import { madeTable } from "../../support/made-table.ts";

describe("findAncestry", () => {
  it("lists this process, its ancestors and the leaders of their groups and sessions, each once", () => {
    const found = findAncestry(
      madeTable([
        { pid: 3, parent: 10, group: 11, session: 12 },
        { pid: 10, parent: 13, group: 10, session: 12 },
        { pid: 11, parent: 14 },
        { pid: 13, parent: 1, group: 15 },
        { pid: 14, parent: 14 },
        { pid: 99 },
      ]),
    );
    expect(found?.line.map(({ pid }) => pid)).toEqual([3, 10, 11, 13, 14, 1]);
    expect(found?.ended).toEqual([12, 15]);
    expect(found?.line[0]).toMatchObject({ terminal: false, pidStart: "at 3", second: null });
  });

  it("finds the parent of this process", () => {
    const [self, parent] = findAncestry()?.line ?? [];
    expect([self?.pid, parent?.pid]).toEqual([process.pid, process.ppid]);
    expect(parent?.pidStart).toBe(systemTable.stat(process.ppid)?.startedAt);
  });
});

describe("parseListing", () => {
  it("reads what ps prints on Linux, macOS and FreeBSD", () => {
    const text = [
      "    1     0     1 ?        Sat Nov 28 04:45:11 2026",
      "  501   480   501 ttys003  Mon Jun  1 23:59:59 2026    ",
      "  502     1   502 ??       Mon Jun  1 23:59:59 2026",
      "  503     1   503 -        Mon Jun  1 23:59:59 2026",
      "    7 a line of nothing",
    ];
    const second = Date.UTC(2026, 5, 1, 23, 59, 59) / 1000;
    const one = { parent: 1, pidStart: null, terminal: false, second };
    expect([...parseListing(`${text.join("\n")}\n`).values()]).toEqual([
      { ...one, pid: 1, parent: 0, group: 1, session: 1, second: Date.UTC(2026, 10, 28, 4, 45, 11) / 1000 },
      { ...one, pid: 501, parent: 480, group: 501, session: 501, terminal: true },
      { ...one, pid: 502, group: 502, session: 502 },
      { ...one, pid: 503, group: 503, session: 503 },
    ]);
  });

  it("reads what ps of this machine prints", () => {
    const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid=,pgid=,tty=,lstart="], {
      env: { LC_ALL: "C", TZ: "UTC" },
      encoding: "latin1",
    });
    const found = parseListing(stdout).get(process.pid);
    expect(found).toMatchObject({ parent: process.ppid, group: systemTable.stat(process.pid)?.group });
    const begun = Date.now() / 1000 - process.uptime();
    expect(Math.abs((found?.second ?? 0) - begun)).toBeLessThan(60);
  });
});
