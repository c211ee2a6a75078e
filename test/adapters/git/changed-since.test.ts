import { lstatSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changedSince } from "../../../src/adapters/git/gather-evidence.ts";
import { temporaryFolder } from "../../support/folder.ts";

describe("changedSince", () => {
  it("asks the file, or the next folder above that is still there", () => {
    const top = temporaryFolder();
    mkdirSync(join(top, "folder"));
    writeFileSync(join(top, "folder/file"), "");
    symlinkSync("nowhere", join(top, "link"));
    utimesSync(join(top, "folder/file"), 1, 1);
    const before = Date.now() - 60_000;
    const after = Date.now() + 60_000;
    for (const path of ["folder/file", "folder", "link", "gone", "folder/gone", "gone/deep/er"]) {
      expect(changedSince(join(top, path), before), path).toBe(true);
      expect(changedSince(join(top, path), after), path).toBe(false);
    }
  });

  it("allows for the tick of the kernel, which stamps a file up to 10 ms too early", () => {
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, "");
    const stamped = lstatSync(path).ctimeMs;
    expect([-1, 0, 9, 11].map((late) => changedSince(path, stamped + late))).toEqual([true, true, true, false]);
  });

  it("takes for changed what cannot be looked at", () => {
    const top = temporaryFolder();
    symlinkSync("loop", join(top, "loop"));
    for (const path of ["x".repeat(300), "loop/file"]) {
      expect(changedSince(join(top, path), Date.now() + 60_000), path).toBe(true);
    }
  });
});
