import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  findAncestry,
  hasGroup,
  listByPs,
  openProc,
  parseListing,
  parseStat,
} from "../../../src/adapters/processes/process-table.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { madeTable } from "../../support/made-table.ts";
import { processSources } from "../../support/process-sources.ts";
import { until } from "../../support/until.ts";

const noProcess = 2 ** 30;

function start(script: string, env: NodeJS.ProcessEnv = process.env): ChildProcess & { readonly pid: number } {
  const child = spawn("sh", ["-c", script], { env, detached: true, stdio: "ignore" });
  onTestFinished(() => void process.kill(-(child.pid as number), "SIGKILL"));
  return child as ChildProcess & { readonly pid: number };
}

describe.each(processSources)("processes as listed by %s", (_, open) => {
  const listed = () => open() ?? expect.fail("none are listed");

  it("contain this process, with its parent", () => {
    const table = listed();
    const own = table.find(process.pid);
    expect(own).toMatchObject({ pid: process.pid, parent: process.ppid, isDead: false });
    const pids = table.pids();
    expect(pids).toEqual(pids.toSorted((a, b) => a - b));
    expect(pids).toEqual(expect.arrayContaining([process.pid, process.ppid]));
    const [self, parent] = findAncestry(table).line;
    expect([self?.pid, parent?.pid]).toEqual([process.pid, process.ppid]);
    const begun = Date.now() / 1000 - process.uptime();
    const startedAt = own?.second ?? Number(own?.pidStart) / 100 + begun + process.uptime() - uptime();
    expect(Math.abs(startedAt - begun)).toBeLessThan(60);
  });

  it("contain the group of a child, and its whole environment", async () => {
    const folder = temporaryFolder();
    const env = { LONG: "x".repeat(50_000), BLANKS: "a b =c", LAST: "ü", EMPTY: "", PATH: process.env["PATH"] };
    const child = start(`touch ${folder}/begun; sleep 60; true TEST_ARGUMENT=1`, env);
    await until(() => existsSync(join(folder, "begun")));
    const table = listed();
    expect(table.find(child.pid)).toMatchObject({ parent: process.pid, group: child.pid, isDead: false });
    const text = Buffer.from(table.environment(child.pid) ?? "", "latin1").toString();
    const variables = text.split("\0");
    expect(variables).toEqual(expect.arrayContaining([`LONG=${env.LONG}`, "BLANKS=a b =c", "LAST=ü", "EMPTY="]));
    expect(variables.at(-1)).toBe("");
    expect(text).not.toContain("TEST_ARGUMENT");
  });

  it("separate the dead from the living", async () => {
    const folder = temporaryFolder();
    // Becomes a zombie: ends once its parent is `sleep`, which does not wait for child processes.
    const short = "sh -c 'until grep -q sleep /proc/$PPID/comm; do sleep 0.01; done'";
    start(`${short} & echo $! > ${folder}/id; exec sleep 60`);
    const id = () => Number(readFileSync(join(folder, "id"), "utf8"));
    await until(() => existsSync(join(folder, "id")) && id() > 0);
    await until(() => listed().find(id())?.isDead === true);
    expect(listed().find(process.pid)?.isDead).toBe(false);
  });

  it("contain none that does not exist", () => {
    const table = listed();
    expect([table.find(noProcess), table.environment(noProcess)]).toEqual([null, null]);
  });
});

const uptime = (): number => Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]);

describe("/proc", () => {
  const behind = (threads: number, signal: number, memory: number) =>
    `Z 3 4 5 6 -1 7 8 9 10 11 12 13 14 15 20 0 ${threads} 0 5263 ${memory} 17 ${"0 ".repeat(13)}${signal} ${"0 ".repeat(14)}\n`;

  it.each(["sh", "a b", ") S 1 1", "(", ""])("contains the fields after the name `%s`", (name) => {
    expect(parseStat(2, `2 (${name}) ${behind(2, 17, 4096)}`)).toEqual({
      ...{ pid: 2, parent: 3, group: 4, session: 5, terminal: true },
      ...{ pidStart: "5263", second: null, isDead: false },
    });
  });

  it.each([
    [1, 0, true],
    [0, 0, true],
    [2, 0, false],
    [1, 4096, false],
  ])("contains dead processes: %i threads, %i bytes", (threads, memory, isDead) => {
    expect(parseStat(2, `2 (sh) ${behind(threads, 17, memory)}`)).toMatchObject({ isDead });
  });

  it("contains no thread under its own id", () => {
    expect(parseStat(2, `2 (node) ${behind(9, -1, 4096)}`)).toBeNull();
  });

  it("contains the newest and the highest id", async () => {
    // Retry, because another process may start in between.
    await until(() => spawn("true", { stdio: "ignore" }).pid === openProc()?.newestPid());
    expect(openProc()?.highestPid()).toBe(Number(readFileSync("/proc/sys/kernel/pid_max", "utf8")));
  });
});

describe("ps", () => {
  it("is read in the formats of Linux, macOS and FreeBSD", () => {
    const text = [
      "    1     0     1 ?        Ss   Sat Nov 28 04:45:11 2026 /sbin/init",
      "  501   480   501 ttys003  S+   Mon Jun  1 23:59:59 2026     vi a  b",
      "  502     1   502 ??       Z    Mon Jun  1 23:59:59 2026 <defunct>",
      "  503     1   503 -        I    Mon Jun  1 23:59:59 2026",
      "    7 a line of nothing",
    ];
    const second = Date.UTC(2026, 5, 1, 23, 59, 59) / 1000;
    const one = { parent: 1, pidStart: null, terminal: false, second, isDead: false };
    const rows = [...parseListing(`${text.join("\n")}\n`).values()];
    expect(rows.map((row) => row.process)).toEqual([
      { ...one, pid: 1, parent: 0, group: 1, session: 1, second: Date.UTC(2026, 10, 28, 4, 45, 11) / 1000 },
      { ...one, pid: 501, parent: 480, group: 501, session: 501, terminal: true },
      { ...one, pid: 502, group: 502, session: 502, isDead: true },
      { ...one, pid: 503, group: 503, session: 503 },
    ]);
    expect(rows.map(({ command }) => command)).toEqual(["/sbin/init", "vi a  b", "<defunct>", ""]);
  });

  it("returns no environment if the system's `ps` has no letters for it", () => {
    expect(listByPs("darwin")?.environment(process.pid)).toBeNull();
  });
});

describe("hasGroup", () => {
  it.each([
    ["exists", null, true],
    ["is another user's", Object.assign(new Error("no"), { code: "EPERM" }), true],
    ["is gone", Object.assign(new Error("no"), { code: "ESRCH" }), false],
    ["is refused with another error", new Error("no"), false],
    ["is refused with a value that is no error", { code: "EPERM" }, false],
  ])("checks whether a group exists: one that %s", (_, refusal, expected) => {
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      if (refusal !== null) throw refusal;
      return true;
    });
    onTestFinished(() => kill.mockRestore());
    expect(hasGroup(7)).toBe(expected);
    expect(kill).toHaveBeenCalledWith(-7, 0);
  });
});

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
    expect(found.line.map(({ pid }) => pid)).toEqual([3, 10, 11, 13, 14, 1]);
    expect(found.ended).toEqual([12, 15]);
  });
});
