import { spawnSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../../../src/adapters/files/folder.ts";
import { temporaryFolder } from "../../support/folder.ts";

describe("makeFolder", () => {
  it("makes those it is in as well, and leaves what is there", () => {
    const path = join(temporaryFolder(), "a/b/c");
    makeFolder(path, 0o700);
    makeFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it("does not take a file for a folder", () => {
    const path = join(temporaryFolder(), "a");
    writeFileSync(path, "");
    expect(() => makeFolder(path)).toThrow("EEXIST");
    expect(() => makeFolder(join(path, "b"))).toThrow("ENOTDIR");
  });

  it("tells that a disk is read-only", ({ skip }) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "disk"));
    const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", join(folder, "disk")]);
    if (status !== 0) skip("no file system can be mounted here");
    onTestFinished(() => void spawnSync("umount", ["-l", join(folder, "disk")]));
    expect(() => makeFolder(join(folder, "disk/a"))).toThrow("EROFS");
  });
});
