import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { git } from "../../../src/adapters/git.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { commitAll, inFolder, sample, specIn, stubIdentity, write } from "./sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

const inCommit = (top: string) =>
  inFolder(top, "show", "--name-only", "--format=", "HEAD").split("\n").filter(Boolean).sort();

describe("a commit of the work in a workspace", () => {
  it("includes changed, created and removed files, without the spec's files and run data", async () => {
    const { top, git } = sample();
    write(top, "gone");
    commitAll(top);
    rmSync(join(top, "gone"));
    for (const path of ["src/a.ts", "src/new.ts", "spec/notes.md", "a.fixpoint/b", "src/.ralph-state.json.bak"]) {
      write(top, path);
    }
    for (const path of ["spec/tasks.md", "spec/.progress.md"]) write(top, path);
    for (const path of ["spec/.fixpoint/journal", ".fixpoint/a", "spec/.ralph-state.json", ".ralph-state.json"]) {
      write(top, path);
    }
    expect(await git.commit("work", "work")).toBe(inFolder(top, "rev-parse", "--short", "HEAD"));
    expect(inCommit(top)).toEqual([
      "a.fixpoint/b",
      "gone",
      "spec/notes.md",
      "src/.ralph-state.json.bak",
      "src/a.ts",
      "src/new.ts",
    ]);
    expect(await git.commit("none", "work")).toBeNull();
  });

  it("includes files whose names are not UTF-8", async () => {
    const { top, git } = sample();
    const name = Buffer.concat([Buffer.from(`${top}/b`), Buffer.from([0xe9])]);
    writeFileSync(name, "1\n");
    expect(await git.commit("work", "work")).not.toBeNull();
    expect(inFolder(top, "show", "--name-only", "--format=", "HEAD")).toContain('"b\\351"');
    rmSync(name);
    expect(await git.commit("work", "work")).not.toBeNull();
    expect(inFolder(top, "status", "--porcelain")).toBe("");
  });

  it("includes files outside of a sparse checkout", async () => {
    const { top, git } = sample();
    write(top, "outside/a");
    commitAll(top);
    inFolder(top, "sparse-checkout", "set", "spec", "src");
    for (const path of ["outside/new", "src/new"]) write(top, path);
    expect(await git.commit("work", "work")).not.toBeNull();
    expect(inCommit(top)).toEqual(["outside/new", "src/new"]);
    expect(inFolder(top, "ls-tree", "-r", "--name-only", "HEAD")).toContain("outside/a");
    expect(inFolder(top, "status", "--porcelain")).toBe("");
  });

  it("replaces a file by a folder, and a folder by a file, staged or not", async () => {
    const { top, git } = sample();
    for (const path of ["file", "staged", "folder/a", "folder/deep/b"]) write(top, path);
    commitAll(top);
    for (const path of ["file", "staged", "folder"]) rmSync(join(top, path), { recursive: true });
    for (const path of ["file/deep/c", "staged/d", "folder"]) write(top, path);
    inFolder(top, "add", "--all", "staged");
    expect(await git.commit("work", "work")).not.toBeNull();
    expect(inFolder(top, "ls-tree", "-r", "--name-only", "HEAD").split("\n")).toEqual(
      expect.arrayContaining(["file/deep/c", "staged/d", "folder"]),
    );
    expect(inFolder(top, "status", "--porcelain")).toBe("");
  });

  it("is refused between two commits of a cherry-pick", async () => {
    const { top, git } = sample();
    inFolder(top, "switch", "-qc", "other");
    for (const text of ["1\n", "2\n"]) {
      write(top, "src/a.ts", text);
      commitAll(top);
    }
    inFolder(top, "switch", "-q", "main");
    write(top, "src/a.ts", "mine\n");
    commitAll(top);
    expect(() => inFolder(top, "cherry-pick", "other~1", "other")).toThrow();
    commitAll(top, "resolved");
    write(top, "new");
    await expect(git.commit("work", "work")).rejects.toThrow("a cherry-pick or revert is in progress");
    expect(inFolder(top, "status", "--porcelain")).toBe("?? new");
  });

  it("is refused with the cause, not only its consequence", async () => {
    const { top, git } = sample();
    write(top, "a");
    for (const setting of ["commit.gpgSign true", "gpg.program false"]) inFolder(top, "config", ...setting.split(" "));
    await expect(git.commit("work", "work")).rejects.toThrow(/error: .+; fatal: failed to write commit object/);
    expect(inFolder(top, "status", "--porcelain")).toBe("?? a");
  });

  it("excludes ignored files, and those outside the workspace", async () => {
    const { top } = sample();
    write(top, ".gitignore", "dist\n");
    write(top, "src/deep/b.ts");
    commitAll(top);
    const workspace = join(top, "src/deep");
    const { commit } = git({ workspace, specFiles: specIn(join(top, "spec")) });
    write(top, "src/a.ts");
    expect(await commit("none", "work")).toBeNull();
    for (const path of ["src/deep/b.ts", "src/deep/dist/out.js", "src/deep/new.ts"]) write(top, path, "x\n");
    await commit("work", "work");
    expect(inCommit(top)).toEqual(["src/deep/b.ts", "src/deep/new.ts"]);
    expect(inFolder(top, "status", "--porcelain")).toBe("M src/a.ts");
  });

  it("finds the workspace through a symbolic link", async () => {
    const { top } = sample();
    const link = join(temporaryFolder(), "link");
    symlinkSync(join(top, "src"), link);
    write(top, "src/a.ts");
    write(top, "b.ts");
    await git({ workspace: link }).commit("work", "work");
    expect(inCommit(top)).toEqual(["src/a.ts"]);
  });

  it("works wherever the spec is", async () => {
    const { top } = sample();
    const outside = temporaryFolder();
    const nested = join(top, "nested");
    mkdirSync(nested);
    inFolder(nested, "init", "-q");
    for (const folder of [outside, nested]) {
      write(folder, "tasks.md");
      write(top, "src/a.ts", folder);
      const { commit } = git({ workspace: join(top, "src"), specFiles: specIn(folder) });
      expect(await commit("work", "work")).not.toBeNull();
      expect(inCommit(top)).toEqual(["src/a.ts"]);
    }
  });

  it("is refused without a repository, and while its index is locked", async () => {
    const outside = temporaryFolder();
    await expect(git({ workspace: outside }).commit("work", "work")).rejects.toMatchObject({
      code: "git-refused",
      message: `Cannot commit in \`${outside}\`: there is no repository`,
    });
    const { top } = sample();
    const lock = join(top, ".git/index.lock");
    write(top, ".git/index.lock", "theirs");
    write(top, "new.ts");
    await expect(git({ workspace: top, lockTimeoutMs: 20 }).commit("work", "work")).rejects.toMatchObject({
      code: "git-locked",
      message: expect.stringContaining(lock),
    });
    expect(existsSync(lock)).toBe(true);
  });

  it("is refused for files that git cannot add, with the reason", async () => {
    const { top, git } = sample();
    mkdirSync(join(top, "nested"));
    inFolder(join(top, "nested"), "init", "-q");
    await expect(git.commit("work", "work")).rejects.toMatchObject({
      code: "git-refused",
      message: [
        `Cannot commit in \`${top}\`: error: nested: is a directory - add files inside instead`,
        "fatal: Unable to process path nested",
      ].join("; "),
    });
  });
});
