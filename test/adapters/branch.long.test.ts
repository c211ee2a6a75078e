import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { branch } from "../../src/adapters/branch.ts";
import { temporaryFolder } from "../support/folder.ts";

const { signal } = new AbortController();
let root: string;
let work: string;
let bare: string;
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=ann", "-c", "user.email=ann@example.org", ...args], {
    cwd,
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
function commit(cwd: string, file: string, text = file): string {
  mkdirSync(join(cwd, file, ".."), { recursive: true });
  writeFileSync(join(cwd, file), text);
  git(cwd, "add", "--all");
  git(cwd, "commit", "--quiet", "-m", `add ${file}`);
  return git(cwd, "rev-parse", "HEAD");
}
const hook = (folder: string, name: string, text: string): void => {
  mkdirSync(join(folder, "hooks"), { recursive: true });
  writeFileSync(join(folder, "hooks", name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, "hooks", name), 0o755);
};
const there = (name: string): string => git(bare, "for-each-ref", "--format=%(objectname)", `refs/heads/${name}`);
const own = () => branch({ workspace: work });
const push = (commit: string, expect: string | null, name = "work") =>
  own().push({ remote: "origin", branch: name, commit, expect }, signal);
function other(name = "work"): string {
  const folder = join(root, "other");
  git(root, "clone", "--quiet", "--branch", name, bare, folder);
  return folder;
}

beforeEach(() => {
  root = temporaryFolder();
  bare = join(root, "bare.git");
  work = join(root, "work");
  git(root, "init", "--quiet", "--bare", "--initial-branch=main", bare);
  git(root, "clone", "--quiet", bare, work);
  commit(work, "a.txt");
  git(work, "push", "--quiet", "origin", "HEAD:main");
  git(work, "switch", "--quiet", "--create", "work");
});

describe("a push", () => {
  it("creates the branch, and changes nothing the second time", async () => {
    const first = commit(work, "b.txt");
    expect(await push(first, null)).toEqual({ kind: "pushed" });
    expect(there("work")).toBe(first);
    expect(await push(first, null)).toEqual({ kind: "pushed" });
    const second = commit(work, "c.txt");
    expect(await push(second, first)).toEqual({ kind: "pushed" });
  });

  it.each(["main", "master", "trunk", "develop", "release/2"])("never goes to %s", async (name) => {
    const before = there(name);
    expect(await push(commit(work, "b.txt"), before === "" ? null : before, name)).toMatchObject({ kind: "refused" });
    expect(there(name)).toBe(before);
  });

  it("never goes to the default branch, whatever its name is", async () => {
    const at = commit(work, "b.txt");
    git(work, "push", "--quiet", "origin", "HEAD:stable");
    git(bare, "symbolic-ref", "HEAD", "refs/heads/stable");
    expect(await push(commit(work, "c.txt"), at, "stable")).toMatchObject({ kind: "refused" });
    expect(there("stable")).toBe(at);
  });

  it("is not affected by settings of the repository", async () => {
    git(work, "config", "remote.origin.push", "refs/heads/work:refs/heads/main");
    git(work, "config", "push.default", "matching");
    git(work, "config", "remote.pushDefault", "elsewhere");
    const main = there("main");
    expect(await push(commit(work, "b.txt"), null)).toEqual({ kind: "pushed" });
    expect(there("main")).toBe(main);
  });

  it("does not overwrite commits of others", async () => {
    const first = commit(work, "b.txt");
    await push(first, null);
    const clone = other();
    const theirs = commit(clone, "theirs.txt");
    git(clone, "push", "--quiet");
    expect(await push(commit(work, "c.txt"), first)).toEqual({ kind: "moved", head: theirs });
    // Refused even if the remote commit is known, because the local commit does not descend from it.
    expect(await push(commit(work, "d.txt"), theirs)).toMatchObject({ kind: "refused" });
    expect(there("work")).toBe(theirs);
  });

  it("reports that the branch is gone", async () => {
    const first = commit(work, "b.txt");
    await push(first, null);
    git(bare, "update-ref", "-d", "refs/heads/work");
    expect(await push(commit(work, "c.txt"), first)).toEqual({ kind: "moved", head: null });
  });

  it("does not bypass a hook, whose output it reports", async () => {
    hook(join(work, ".git"), "pre-push", "echo two tests fail; exit 1");
    expect(await push(commit(work, "b.txt"), null)).toMatchObject({
      kind: "hook",
      output: expect.stringContaining("two tests fail"),
    });
    expect(there("work")).toBe("");
  });

  it("reports why the remote rejects it", async () => {
    hook(
      bare,
      "pre-receive",
      "echo 'error: GH013: Repository rule violations found'; echo 'Push cannot contain secrets'; exit 1",
    );
    const answer = await push(commit(work, "b.txt"), null);
    expect(answer).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("GH013"),
      hint: expect.stringContaining("revoke any secret"),
    });
  });

  it("is refused without a remote, with several addresses, and with an invalid name", async () => {
    const at = commit(work, "b.txt");
    expect(await own().push({ remote: "--all", branch: "work", commit: at, expect: null }, signal)).toMatchObject({
      kind: "refused",
    });
    expect(await own().push({ remote: "gone", branch: "work", commit: at, expect: null }, signal)).toMatchObject({
      kind: "refused",
    });
    expect(await push(at, null, "a..b")).toMatchObject({ kind: "refused" });
    git(work, "remote", "set-url", "--add", "--push", "origin", bare);
    git(work, "remote", "set-url", "--add", "--push", "origin", `${bare}2`);
    expect(await push(at, null)).toMatchObject({ kind: "refused", reason: expect.stringContaining("several") });
  });

  it("waits for an unreachable remote", async () => {
    git(work, "remote", "set-url", "origin", "http://127.0.0.1:9/ann/shop.git");
    expect(await push(commit(work, "b.txt"), null)).toMatchObject({ kind: "hindered", reason: "offline" });
  });
});

describe("a foreign commit", () => {
  it("is adopted if HEAD can be fast-forwarded", async () => {
    const first = commit(work, "b.txt");
    await push(first, null);
    const clone = other();
    const theirs = commit(clone, "theirs.txt");
    git(clone, "push", "--quiet");
    const names = { remote: "origin", branch: "work", head: theirs };
    writeFileSync(join(work, "b.txt"), "dirty");
    expect(await own().adopt(names, signal)).toEqual({ kind: "diverged" });
    git(work, "checkout", "--quiet", "b.txt");
    expect(await own().adopt(names, signal)).toEqual({ kind: "adopted", authors: ["ann <ann@example.org>"] });
    expect((await own().local()).head).toBe(theirs);
    commit(work, "c.txt");
    git(clone, "commit", "--quiet", "--amend", "-m", "other words");
    git(clone, "push", "--quiet", "--force");
    expect(await own().adopt({ ...names, head: git(clone, "rev-parse", "HEAD") }, signal)).toEqual({
      kind: "diverged",
    });
  });
});

describe("the position of the branch", () => {
  it("is reported for the local side", async () => {
    const head = commit(work, "b.txt");
    writeFileSync(join(work, "new.txt"), "");
    mkdirSync(join(work, "spec/.fixpoint"), { recursive: true });
    writeFileSync(join(work, "spec/.fixpoint/run"), "");
    writeFileSync(join(work, "spec/tasks.md"), "");
    const specFiles = { "tasks.md": join(work, "spec/tasks.md") };
    expect(await branch({ workspace: work, specFiles }).local()).toEqual({ head, branch: "work", dirty: ["new.txt"] });
    git(work, "checkout", "--quiet", "--detach");
    expect((await own().local()).branch).toBeNull();
    expect(await branch({ workspace: root }).local()).toEqual({ head: null, branch: null, dirty: [] });
  });

  it("is reported for the remote", async () => {
    const base = there("main");
    const names = { remote: "origin", branch: "work", base: "main" };
    expect(await own().remote(names, signal)).toEqual({
      ...{ kind: "remote", url: bare, defaultBranch: "main", head: null },
      baseHead: base,
    });
  });

  it("contains the commits in between", async () => {
    const hash = commit(work, "deep/b.txt");
    const clone = other("main");
    commit(clone, "base.txt");
    git(clone, "push", "--quiet");
    expect(await own().ahead({ remote: "origin", base: "main" }, signal)).toEqual({
      ...{ kind: "ahead", count: 1, paths: ["deep/b.txt"] },
      commits: [{ hash, subject: "add deep/b.txt" }],
    });
    expect(await own().ahead({ remote: "origin", base: "gone" }, signal)).toMatchObject({ kind: "refused" });
  });

  it("creates a branch once", async () => {
    expect(await own().begin("fresh")).toEqual({ kind: "done" });
    expect(await own().begin("fresh")).toEqual({ kind: "done" });
    expect(await own().begin("main")).toMatchObject({ kind: "refused" });
    expect(await own().begin("work")).toMatchObject({ kind: "refused" });
    expect((await own().local()).branch).toBe("fresh");
  });
});
