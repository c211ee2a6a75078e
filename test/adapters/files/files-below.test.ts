import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../../../src/adapters/files/files-below.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { write } from "../git/sample-repository.ts";

const below = (top: string, isLeftOut = (_path: string): boolean => false): string[] =>
  filesBelow(top, isLeftOut).map((path) => relative(top, path));

describe("filesBelow", () => {
  it("lists regular files by name, those of a folder before those of its folders", () => {
    const top = temporaryFolder();
    for (const path of ["d", "b/z", "b/a/x", "B", "c/y", "b/b/x", "a", ".git/HEAD", "c/node_modules/m"]) {
      write(top, path);
    }
    symlinkSync("b", join(top, "link"));
    symlinkSync("d", join(top, "link.ts"));
    execFileSync("mkfifo", [join(top, "pipe")]);
    mkdirSync(join(top, "empty"));
    expect(below(top)).toEqual(["B", "a", "d", "b/z", "b/a/x", "b/b/x", "c/y"]);
  });

  it("leaves out files and folders, by their absolute paths", () => {
    const top = temporaryFolder();
    for (const path of ["a", "b/x", "b/y/z", "c/a"]) write(top, path);
    const leftOut = ["a", "b/y"].map((path) => join(top, path));
    expect(below(top, (path) => leftOut.includes(path))).toEqual(["b/x", "c/a"]);
  });

  it("lists 1000 of them, and nothing below what is no folder", () => {
    const top = temporaryFolder();
    for (const folder of ["a", "b", "c"]) {
      mkdirSync(join(top, folder));
      for (let n = 100; n < 600; n++) writeFileSync(join(top, folder, `${n}`), "");
    }
    write(top, "first");
    const found = below(top);
    expect([found.length, found[0], found[1], found.at(-1)]).toEqual([1000, "first", "a/100", "b/598"]);
    for (const path of ["first", "none"]) expect(below(join(top, path))).toEqual([]);
  });
});
