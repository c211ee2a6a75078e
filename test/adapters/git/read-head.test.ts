import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRepository, realFolder, repositoryFinder } from "../../../src/adapters/git/find-repository.ts";
import { type Head, readHead } from "../../../src/adapters/git/read-head.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { write } from "./sample-repository.ts";

const hash = "0123456789".repeat(4);
const other = "f".repeat(40);
const commit: Head = { kind: "commit", hash };
const unclear: Head = { kind: "unclear" };
const onMain = { ".git/HEAD": "ref: refs/heads/main\n" };

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) write(folder, path, text);
  return folder;
}

describe("readHead", () => {
  it.each<[string, Readonly<Record<string, string>>, Head]>([
    ["no repository", { "a.ts": "" }, { kind: "outside" }],
    ["a branch without a commit", onMain, { kind: "unborn" }],
    ["a branch", { ...onMain, ".git/refs/heads/main": `${hash}\n` }, commit],
    ["a commit", { ".git/HEAD": `${hash}\n` }, commit],
    [
      "a commit of a repository with longer hashes",
      { ".git/HEAD": `${"a".repeat(64)}\n` },
      { kind: "commit", hash: "a".repeat(64) },
    ],
    [
      "a branch that is packed, among others",
      {
        ...onMain,
        ".git/packed-refs": `# pack-refs with: peeled\n${other} refs/heads/a\n${hash} refs/heads/main\n^${other}\n`,
      },
      commit,
    ],
    [
      "a branch whose name another one ends with",
      { ...onMain, ".git/packed-refs": `${other} refs/heads/a/refs/heads/main\n` },
      { kind: "unborn" },
    ],
    [
      "a branch that has moved since it was packed",
      { ...onMain, ".git/refs/heads/main": `${hash}\n`, ".git/packed-refs": `${other} refs/heads/main\n` },
      commit,
    ],
    [
      "a linked worktree",
      {
        ".git": "gitdir: real/worktrees/a\n",
        "real/worktrees/a/HEAD": "ref: refs/heads/main\n",
        "real/worktrees/a/commondir": "../..\n",
        "real/refs/heads/main": `${hash}\n`,
      },
      commit,
    ],
    ["another store of refs", { ".git/HEAD": "ref: refs/heads/.invalid\n" }, unclear],
    ["a branch outside of the others", { ".git/HEAD": "ref: refs/heads/../a\n", ".git/refs/a": hash }, unclear],
    ["a ref that is no branch", { ".git/HEAD": "ref: refs/tags/a\n", ".git/refs/tags/a": hash }, unclear],
    ["a line before the ref", { ".git/HEAD": "x ref: refs/heads/main\n" }, unclear],
    ["a line behind the ref", { ".git/HEAD": "ref: refs/heads/main\nx\n" }, unclear],
    ["a branch that names another", { ...onMain, ".git/refs/heads/main": "ref: refs/heads/a\n" }, unclear],
    ["a folder in the place of a branch", { ...onMain, ".git/refs/heads/main/a": hash }, unclear],
    ["nothing", { ".git/HEAD": "" }, unclear],
    ["a hash that is too long", { ".git/HEAD": `${hash}0\n` }, unclear],
    ["a hash that is too short", { ".git/HEAD": `${hash.slice(1)}\n` }, unclear],
    ["text around a hash", { ".git/HEAD": `x${hash}\n` }, unclear],
  ])("finds %s", (_, files, head) => {
    expect(readHead(folderOf(files))).toEqual(head);
  });
});

describe("repositoryFinder", () => {
  it("finds what `findRepository` finds, also once the folder has a repository of its own", () => {
    const top = folderOf({ ".git/HEAD": "", "a/b/c": "" });
    for (const path of ["a/b", "a", "."]) {
      const find = repositoryFinder(join(top, path));
      expect([find(), find()]).toEqual([findRepository(join(top, path)), findRepository(join(top, path))]);
    }
    const find = repositoryFinder(join(top, "a"));
    expect(find()).toEqual({ top, folder: join(top, ".git") });
    mkdirSync(join(top, "a/.git"));
    writeFileSync(join(top, "a/.git/HEAD"), "");
    expect(find()).toEqual({ top: join(top, "a"), folder: join(top, "a/.git") });
  });
});

describe("findRepository", () => {
  it("finds the next one around a folder, and passes over a `.git` without a HEAD", () => {
    const top = folderOf({ ".git/HEAD": "", "a/.git/config": "", "b/.git": "gitdir: ../c\n", "d/.git": "gitdir: /e" });
    symlinkSync("a", join(top, "link"));
    const found = { top, folder: join(top, ".git") };
    for (const path of [".", "a", "link", "not/there"]) expect(findRepository(join(top, path)), path).toEqual(found);
    expect(findRepository(join(top, "b"))).toEqual({ top: join(top, "b"), folder: join(top, "c") });
    expect(findRepository(join(top, "d"))).toEqual({ top: join(top, "d"), folder: "/e" });
    expect(findRepository(temporaryFolder())).toBeNull();
  });

  it("says which `.git` cannot be looked at", () => {
    const top = temporaryFolder();
    symlinkSync(".git", join(top, ".git"));
    expect(() => findRepository(top)).toThrow(
      expect.objectContaining({
        code: "file-refused",
        message: expect.stringContaining(`Cannot look at \`${join(top, ".git")}\`: `),
      }),
    );
    expect(readHead(top)).toEqual(unclear);
  });
});

describe("realFolder", () => {
  it("follows links, and keeps the path of what is not there", () => {
    const top = temporaryFolder();
    mkdirSync(join(top, "a"));
    symlinkSync("a", join(top, "link"));
    expect(realFolder(join(top, "link"))).toBe(join(top, "a"));
    expect(realFolder(join(top, "none/../other"))).toBe(join(top, "other"));
    expect(realFolder(`${top}/none/`)).toBe(join(top, "none"));
  });
});
