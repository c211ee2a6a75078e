import { mkdirSync, symlinkSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import tty from "node:tty";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findCaller, whoSpeaks } from "../../../src/adapters/user/speaker.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { madeTable, type Row } from "../../support/made-table.ts";

const { isatty } = tty;
beforeEach(() => {
  for (const name of ["FIXPOINT_KEY", "FIXPOINT_SPEC"]) vi.stubEnv(name, undefined);
});
afterEach(() => {
  Object.assign(tty, { isatty });
  syncBuiltinESMExports();
  vi.unstubAllEnvs();
});

const variables = (...entries: readonly string[]): string =>
  Buffer.from(entries.map((entry) => `${entry}\0`).join("")).toString("latin1");

function sample() {
  const folder = temporaryFolder();
  const [spec, link] = [join(folder, "spec-ü"), join(folder, "link")];
  mkdirSync(spec);
  symlinkSync("spec-ü", link);
  return { spec, link, other: folder };
}

const callIn = (spec: string, rows: readonly Row[], coordinator = { pid: 50, pidStart: "at 50" as string | null }) =>
  whoSpeaks({ spec, coordinator }, findCaller(madeTable(rows))).call;

const self = (row: Partial<Row>): Row => ({ pid: 3, parent: 1, ...row });

describe("the call that a process belongs to", () => {
  it("is none without marks", () => {
    const { spec } = sample();
    expect(callIn(spec, [self({ environments: [variables("PATH=/bin", "KEY=1")] })])).toBeNull();
    expect(callIn(spec, [self({ environments: [null] })])).toBeNull();
  });

  it("is read from its current environment", () => {
    const { spec, link, other } = sample();
    vi.stubEnv("FIXPOINT_KEY", "1.1#1");
    expect(callIn(spec, [])).toBe("1.1#1");
    vi.stubEnv("FIXPOINT_SPEC", link);
    expect(callIn(spec, [])).toBe("1.1#1");
    vi.stubEnv("FIXPOINT_SPEC", other);
    expect(callIn(spec, [])).toBeNull();
    vi.stubEnv("FIXPOINT_SPEC", join(other, "gone"));
    expect([callIn(spec, []), callIn(join(other, "gone"), [])]).toEqual([null, "1.1#1"]);
  });

  it.each<[string, (own: string) => readonly Row[]]>([
    ["it was started with", (own) => [self({ environments: [own] })]],
    [
      "an ancestor was started with, whatever the processes in between contain",
      (own) => [
        self({ parent: 12, environments: [variables("FIXPOINT_KEY=9.9#9", "FIXPOINT_SPEC=/elsewhere")] }),
        { pid: 12, parent: 11, environments: [null] },
        { pid: 11, parent: 10 },
        { pid: 10, environments: [own] },
      ],
    ],
    ["the leader of its group was started with", (own) => [self({ group: 12 }), { pid: 12, environments: [own] }]],
    ["the leader of its session was started with", (own) => [self({ session: 12 }), { pid: 12, environments: [own] }]],
    [
      "an ancestor was started with that is its own parent",
      (own) => [self({ parent: 5 }), { pid: 5, parent: 5, environments: [own] }],
    ],
  ])("is read from the environment that %s", (_, rows) => {
    const { spec, link, other } = sample();
    const own = (): readonly Row[] => rows(variables("FIXPOINT_KEY=1.1#1", `FIXPOINT_SPEC=${link}`));
    expect([callIn(spec, own()), callIn(other, own())]).toEqual(["1.1#1", null]);
  });

  it("uses the first of two entries of one name, as programs do, with its whole value", () => {
    const environ = variables("FIXPOINT_KEYX", "FIXPOINT_KEY=a=b", "FIXPOINT_KEY=c", "=FIXPOINT_KEY=d", "FIXPOINT_");
    expect(callIn(sample().spec, [self({ environments: [environ] })])).toBe("a=b");
  });

  it.each<[string, string | null, readonly Row[]]>([
    ["a call itself", "unknown", [self({ parent: 50 })]],
    ["a child of a call", "unknown", [self({ parent: 60, group: 60 }), { pid: 60, parent: 50 }]],
    ["an orphan in the session of a call", "unknown", [self({ session: 60 }), { pid: 60, parent: 50 }]],
    ["a child of the coordinator in its group", null, [self({ parent: 60 }), { pid: 60, parent: 50, group: 50 }]],
    ["a process in the group of the coordinator", null, [self({ group: 50 })]],
    ["any other process", null, [self({ parent: 60 }), { pid: 60 }]],
  ])("is known from the coordinator for %s", (_, call, rows) => {
    const { spec } = sample();
    expect(callIn(spec, [...rows, { pid: 50 }])).toBe(call);
    // The coordinator has ended, and another process has its id now.
    expect(callIn(spec, [...rows, { pid: 50, pidStart: "later" }])).toBeNull();
    expect(callIn(spec, [...rows, { pid: 50 }], { pid: 50, pidStart: null })).toBe(call);
    expect(whoSpeaks({ spec, coordinator: null }, findCaller(madeTable([...rows, { pid: 50 }]))).call).toBeNull();
  });
});

describe("the sender of a message", () => {
  const speaker = (rows: readonly Row[]) =>
    whoSpeaks({ spec: "/none", coordinator: null }, findCaller(madeTable(rows))).speaker;

  it("is the process that started this one", () => {
    expect(speaker([])).toMatchObject({ pid: process.ppid, process: expect.any(String) });
  });

  it.each([
    [[0, 1, 2], true, "terminal"],
    [[2], true, "terminal"],
    [[3], true, "program"],
    [[0, 1, 2], false, "program"],
  ])("is a person if a standard stream of %j is the controlling terminal: %s", (terminals, terminal, kind) => {
    tty.isatty = (fd) => terminals.includes(fd);
    syncBuiltinESMExports();
    const { kind: found, terminal: name } = speaker([self({ terminal })]);
    expect([found, name === null]).toEqual([kind, kind === "program"]);
  });

  it("is the run itself within a call, at a terminal or not", () => {
    tty.isatty = () => true;
    syncBuiltinESMExports();
    vi.stubEnv("FIXPOINT_KEY", "1.1#1");
    expect(speaker([self({ terminal: true })])).toMatchObject({ kind: "run", terminal: expect.any(String) });
  });
});
