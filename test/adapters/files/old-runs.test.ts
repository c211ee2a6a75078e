import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeOldRuns } from "../../../src/hosts/node/cleanup/old-runs.ts";
import { temporaryFolder } from "../../support/folder.ts";

/** Each run has 15 bytes. */
function dataWith(...runs: readonly number[]): string {
  const base = join(temporaryFolder(), ".fixpoint");
  for (const run of runs) {
    mkdirSync(join(base, `run-${run}`, "out"), { recursive: true });
    writeFileSync(join(base, `run-${run}`, "journal-1.ndjson"), "0123456789");
    writeFileSync(join(base, `run-${run}`, "out", "1.1#1.out"), "01234");
  }
  return base;
}

const left = (base: string): string[] => readdirSync(base).sort();

describe("removeOldRuns", () => {
  it("keeps the newest, and reports what it has removed", () => {
    const base = dataWith(2, 9, 10, 11);
    expect(removeOldRuns(base, 11, 2)).toEqual({ runs: [2, 9], bytes: 30 });
    expect(left(base)).toEqual(["run-10", "run-11"]);
    expect(removeOldRuns(base, 11, 2)).toEqual({ runs: [], bytes: 0 });
  });

  it("never removes the latest, nor newer ones", () => {
    const base = dataWith(1, 2, 3);
    expect(removeOldRuns(base, 2, 0).runs).toEqual([1]);
    expect(left(base)).toEqual(["run-2", "run-3"]);
  });

  it("removes nothing else", () => {
    const base = dataWith(3);
    mkdirSync(join(base, "run-01"));
    mkdirSync(join(base, "run-0"));
    mkdirSync(join(base, "run-1b"));
    writeFileSync(join(base, "run-1"), "a file");
    writeFileSync(join(base, "stuck-report-1.md"), "");
    const before = left(base);
    expect(removeOldRuns(base, 3, 1).runs).toEqual([]);
    expect(left(base)).toEqual(before);
  });

  it("follows no link: neither its target nor a link in place of a run is removed", () => {
    const victim = join(temporaryFolder(), "victim");
    mkdirSync(join(victim, "run-1"), { recursive: true });
    writeFileSync(join(victim, "kept"), "");
    const base = dataWith(2, 3);
    symlinkSync(victim, join(base, "run-2", "inside"));
    symlinkSync(victim, join(base, "run-1"));
    expect(removeOldRuns(base, 3, 1).runs).toEqual([2]);
    expect(left(base)).toEqual(["run-1", "run-3"]);
    expect(left(victim)).toEqual(["kept", "run-1"]);

    const linked = join(temporaryFolder(), ".fixpoint");
    symlinkSync(dataWith(1, 2), linked);
    expect(() => removeOldRuns(linked, 2, 1)).toThrow(expect.objectContaining({ code: "file-refused" }));
    expect(left(linked)).toEqual(["run-1", "run-2"]);
  });

  it("does nothing without run data", () => {
    const base = join(temporaryFolder(), ".fixpoint");
    expect(removeOldRuns(base, 0, 1)).toEqual({ runs: [], bytes: 0 });
    expect(existsSync(base)).toBe(false);
  });
});
