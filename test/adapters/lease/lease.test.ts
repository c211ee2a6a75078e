import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { refuseLocked, specHolder, takeSpecLease } from "../../../src/adapters/lease/spec-lease.ts";
import { forgeHolder } from "../../support/forced-lease.ts";
import { lastingFolder } from "../../support/project.ts";
import { explore } from "./interleavings.ts";

const dead = (claim: number, marked: boolean) => ({
  holders: [{ ...{ claim, id: "gone", spec: "/spec", pid: 99, pidStart: null, host: "here", boot: null }, at: 0 }],
  marks: marked ? ["gone"] : [],
});

describe("a contended lease", () => {
  it.each([
    ["on a fresh spec", {}],
    ["after a holder that was killed", { 3: dead(3, true) }],
    ["after a holder that released it", { 1: dead(1, false), 3: dead(3, false) }],
  ])("has a holder, and never two at once, in all orders of two starts: %s", (_, before) => {
    for (const kills of [0, 1]) {
      const { moments, violations, winners } = explore({ processes: 2, kills, before });
      expect(violations.slice(0, 3)).toEqual([]);
      expect(moments).toBeGreaterThan(100);
      expect(winners[1]).toBeGreaterThan(0);
      expect(winners[2]).toBeGreaterThan(0);
    }
  });

  it("has at most one holder in all orders of three starts, one of which fills a removed generation", () => {
    const { moments, violations, winners } = explore({ processes: 3, kills: 0 });
    expect(violations.slice(0, 3)).toEqual([]);
    expect(moments).toBeGreaterThan(1000);
    expect(Object.keys(winners)).toEqual(["1", "2", "3"]);
  });
});

describe("the lease of a spec", () => {
  const fresh = (): string => join(lastingFolder(), ".fixpoint");
  const held = { takeOver: false };
  const list = "holders.json";

  it("names its holder until it is released, and leaves one generation", () => {
    const data = fresh();
    for (let round = 0; round < 20; round++) {
      const lease = takeSpecLease(data, held);
      expect(lease.ended).toEqual([]);
      const told = expect.objectContaining({
        code: "spec-locked",
        message: expect.stringContaining(`process ${process.pid} on \`${hostname()}\` has held it since `),
        hint: "Wait until that process ends, or stop it",
      });
      for (const takeOver of [true, false]) {
        expect(() => takeSpecLease(data, { takeOver })).toThrow(told);
        expect(() => refuseLocked(data, { takeOver })).toThrow(told);
      }
      lease.release();
      expect(specHolder(data)).toBeNull();
    }
    expect(readdirSync(join(data, "lease"))).toEqual(["20"]);
  });

  it.each([
    ["ended without a release", { pid: 2 ** 22 - 1, pidStart: "1" }],
    ["has the id of another process by now", { pidStart: "1" }],
    ["is of an earlier boot of the machine", { boot: "earlier" }],
  ])("goes to the next start if its holder %s", (_, facts) => {
    const data = fresh();
    const first = takeSpecLease(data, held);
    forgeHolder(data, facts);
    expect(takeSpecLease(data, held).ended).toEqual([expect.objectContaining({ id: first.holder.id, ...facts })]);
    expect(first.isHeld()).toBe(false);
  });

  it("does not hide an error of the work behind an error of the release", () => {
    const data = fresh();
    const lease = takeSpecLease(data, held);
    const mark = join(data, "lease", String(lease.holder.claim), lease.holder.id);
    rmSync(mark);
    // Put a folder in place of the mark, because a folder cannot be unlinked.
    mkdirSync(mark);
    expect(() => lease.release()).not.toThrow();
    expect(specHolder(data)?.pid).toBe(process.pid);
  });

  it("goes to no start of another machine until a person confirms that its holder is gone", () => {
    const data = fresh();
    const first = takeSpecLease(data, held);
    forgeHolder(data, { host: "elsewhere" });
    const told = expect.objectContaining({
      code: "spec-on-other-host",
      hint: "If you are sure that this process has ended, take the spec over (takeOver: true)",
    });
    expect(() => takeSpecLease(data, held)).toThrow(told);
    expect(() => refuseLocked(data, held)).toThrow(told);
    expect(() => refuseLocked(data, { takeOver: true })).not.toThrow();
    const next = takeSpecLease(data, { takeOver: true });
    expect([first.isHeld(), next.isHeld()]).toEqual([false, true]);
  });

  it("is lost if its files were removed, or another process began there", () => {
    const data = fresh();
    const first = takeSpecLease(data, held);
    rmSync(data, { recursive: true });
    expect(first.isHeld()).toBe(false);
    expect(takeSpecLease(data, held).isHeld()).toBe(true);
    expect(first.isHeld()).toBe(false);
  });

  it.each([-1, 0])("signals no other process for a holder with the id %i", (pid) => {
    const data = fresh();
    takeSpecLease(data, held);
    forgeHolder(data, { pid });
    expect(specHolder(data)).toBeNull();
  });

  it("is free if its latest generation has no list of holders", () => {
    const data = fresh();
    mkdirSync(join(data, "lease", "5"), { recursive: true });
    expect(specHolder(data)).toBeNull();
    expect(takeSpecLease(data, held).holder.claim).toBe(6);
  });

  it.each([
    ["a pipe in place of the list", "3", (at: string) => mkdirSync(at) ?? execFileSync("mkfifo", [join(at, list)])],
    ["a folder in place of the list", "3", (at: string) => mkdirSync(join(at, list), { recursive: true })],
    ["a file in place of a generation", "3", (at: string) => writeFileSync(at, "")],
    ["a link in place of a generation", "3", (at: string) => symlinkSync(tmpdir(), at)],
    ["no number left", "9".repeat(15), (at: string) => mkdirSync(at)],
  ])("is refused with the path if it has %s", (_, generation, damage) => {
    const data = fresh();
    const at = join(data, "lease", generation);
    mkdirSync(join(data, "lease"), { recursive: true });
    damage(at);
    const told = expect.objectContaining({ code: "file-refused", message: expect.stringContaining(at) });
    expect(() => takeSpecLease(data, held)).toThrow(told);
  });

  it.each(["", "[", "null", '[{"pid": 1}]'])("is free if a power cut has torn the list of its holders: %s", (text) => {
    const data = fresh();
    const first = takeSpecLease(data, held);
    writeFileSync(join(data, "lease", "1", "holders.json"), text);
    expect(takeSpecLease(data, held).isHeld()).toBe(true);
    expect(first.isHeld()).toBe(false);
  });
});
