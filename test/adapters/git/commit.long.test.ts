import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { git } from "../../../src/adapters/git.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { commitAll, inFolder, repository, sample, specIn, stubIdentity, write } from "./sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

const inCommit = (top: string) => inFolder(top, "show", "--name-only", "--format=", "HEAD").split("\n");
const status = (top: string) =>
  inFolder(top, "status", "--porcelain")
    .split("\n")
    .map((line) => line.trim());
const message = (top: string) => inFolder(top, "log", "-1", "--format=%B");
const short = (top: string) => inFolder(top, "rev-parse", "--short", "HEAD");

describe("commit of git", () => {
  it("commits the spec's files and returns the hash", async () => {
    const { top, git } = sample();
    write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    write(top, "spec/.progress.md", "more\n");
    expect(await git.commit("docs: tick 1.1")).toBe(short(top));
    expect(inCommit(top)).toEqual(["spec/.progress.md", "spec/tasks.md"]);
    expect(message(top)).toBe("docs: tick 1.1");
    expect(status(top)).toEqual([""]);
  });

  it("commits nothing once the lease is lost", async () => {
    const { top } = sample();
    write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    const lost = new Error("lost");
    const checkFence = (): never => {
      throw lost;
    };
    const fenced = git({ workspace: top, specFiles: specIn(join(top, "spec")), checkFence });
    await expect(fenced.commit("docs: tick 1.1")).rejects.toBe(lost);
    expect(message(top)).toBe("first");
  });

  it("does not change what others staged, edited or created", async () => {
    const { top, git } = sample();
    write(top, "src/a.ts", "staged\n");
    write(top, "src/staged.ts");
    inFolder(top, "add", "src");
    write(top, "src/a.ts", "changed again\n");
    write(top, "spec/other.md");
    const before = status(top);
    const staged = inFolder(top, "diff", "--cached");
    write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    await git.commit("tick");
    expect(inCommit(top)).toEqual(["spec/tasks.md"]);
    expect(status(top)).toEqual(before);
    expect(inFolder(top, "diff", "--cached")).toBe(staged);
  });

  it("commits the content on disk, whatever part of it is staged", async () => {
    const { top, git } = sample();
    write(top, "spec/tasks.md", "staged\n");
    inFolder(top, "add", "spec");
    write(top, "spec/tasks.md", "on disk\n");
    await git.commit("tick");
    expect(inFolder(top, "show", "HEAD:spec/tasks.md")).toBe("on disk");
    expect(status(top)).toEqual([""]);
  });

  it("commits untracked files, in addition to staged ones", async () => {
    const { top, git } = sample();
    inFolder(top, "rm", "-q", "--cached", "spec/tasks.md");
    inFolder(top, "commit", "-q", "-m", "untracked");
    write(top, "src/staged.ts");
    inFolder(top, "add", "src");
    write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    await git.commit("tick");
    expect(inCommit(top)).toEqual(["spec/tasks.md"]);
    expect(status(top)).toEqual(["A  src/staged.ts"]);
  });

  it("excludes ignored files", async () => {
    const { top, git } = sample();
    write(top, ".gitignore", ".progress.md\n");
    inFolder(top, "rm", "-q", "--cached", "spec/.progress.md");
    const head = commitAll(top);
    write(top, "spec/.progress.md", "more\n");
    expect(await git.commit("none")).toBeNull();
    expect(inFolder(top, "rev-parse", "HEAD")).toBe(head);
    write(top, "spec/tasks.md", "x\n");
    await git.commit("tick");
    expect(inCommit(top)).toEqual(["spec/tasks.md"]);
  });

  it("returns null if there is nothing to commit", async () => {
    const { top, first, git } = sample();
    expect(await git.commit("none")).toBeNull();
    write(top, "src/a.ts", "b\n");
    inFolder(top, "add", ".");
    expect(await git.commit("none")).toBeNull();
    write(top, "spec/tasks.md", "staged, then changed back\n");
    inFolder(top, "add", ".");
    write(top, "spec/tasks.md", "- [ ] 1.1 A\n");
    expect(await git.commit("none")).toBeNull();
    expect(inFolder(top, "rev-parse", "HEAD")).toBe(first);
  });

  it("returns null for a spec without files", async () => {
    const { top } = sample();
    write(top, "src/a.ts", "b\n");
    expect(await git({ workspace: top }).commit("none")).toBeNull();
    expect(await git({ workspace: top, specFiles: specIn(join(top, "none")) }).commit("none")).toBeNull();
  });

  it("accepts any message unchanged", async () => {
    const { top, git } = sample();
    const text = '--amend $(touch x) `touch x`\n\n# "no" comment, ümläut ✓';
    write(top, "spec/tasks.md", "x\n");
    inFolder(top, "config", "commit.cleanup", "strip");
    inFolder(top, "config", "i18n.commitEncoding", "latin1");
    await git.commit(text);
    expect(inFolder(top, "cat-file", "commit", "HEAD")).not.toContain("encoding");
    expect(message(top)).toBe(text);
    write(top, "spec/tasks.md", "y\n");
    await git.commit("nul\0byte");
    expect(message(top)).toBe("nul\uFFFDbyte");
    expect(inFolder(top, "rev-list", "--count", "HEAD")).toBe("3");
  });

  it("makes the first commit of a repository", async () => {
    const top = repository(0);
    write(top, "spec/tasks.md");
    write(top, "staged");
    inFolder(top, "add", "staged");
    const port = git({ workspace: top, specFiles: specIn(join(top, "spec")) });
    expect(await port.commit("first")).toBe(short(top));
    expect(inFolder(top, "ls-tree", "-r", "--name-only", "HEAD")).toBe("spec/tasks.md");
    expect(status(top)).toEqual(["A  staged"]);
  });

  it.each(["a spec", "-spec", "spécs\nnew", "*", ":(top)"])("commits a spec in %j", async (name) => {
    const top = repository();
    write(top, `${name}/tasks.md`);
    write(top, "other/tasks.md");
    const port = git({ workspace: top, specFiles: specIn(join(top, name)) });
    expect(await port.commit("new")).toBe(short(top));
    write(top, `${name}/tasks.md`, "x\n");
    expect(await port.commit("changed")).toBe(short(top));
    expect(status(top)).toEqual(["?? other/"]);
  });

  it("works with a detached HEAD, in a linked worktree and from a folder below the top", async () => {
    const { top } = sample();
    const tree = join(temporaryFolder(), "tree");
    inFolder(top, "worktree", "add", "-q", "--detach", tree);
    write(tree, "spec/tasks.md", "x\n");
    const port = git({ workspace: join(tree, "src"), specFiles: specIn(join(tree, "spec")) });
    expect(await port.commit("tick")).toBe(short(tree));
    expect(inCommit(tree)).toEqual(["spec/tasks.md"]);
    expect(message(top)).toBe("first");
  });

  it("ignores another repository named by the environment", async () => {
    const { top, git } = sample();
    const other = repository();
    write(top, "spec/tasks.md", "x\n");
    vi.stubEnv("GIT_DIR", join(other, ".git"));
    vi.stubEnv("GIT_INDEX_FILE", join(other, ".git/index"));
    vi.stubEnv("GIT_ICASE_PATHSPECS", "1");
    const committed = await git.commit("tick");
    for (const name of ["GIT_DIR", "GIT_INDEX_FILE", "GIT_ICASE_PATHSPECS"]) vi.stubEnv(name, undefined);
    expect(committed).toBe(short(top));
    expect(status(top)).toEqual([""]);
    expect(message(other)).toBe("c0");
  });
});

describe("a lock that blocks a commit", () => {
  it.each(["index.lock", "HEAD.lock", "refs/heads/main.lock"])("is waited for: %s", async (lock) => {
    const { top, git } = sample();
    write(top, "spec/tasks.md", "x\n");
    write(top, `.git/${lock}`, "");
    setTimeout(() => rmSync(join(top, ".git", lock)), 1000);
    const startedAt = performance.now();
    expect(await git.commit("tick")).toBe(short(top));
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    expect(inCommit(top)).toEqual(["spec/tasks.md"]);
  });

  it.each(["tracked", "untracked"])("is kept, and named, while it is held: %s file", async (kind) => {
    const { top, first } = sample();
    if (kind === "tracked") write(top, "spec/tasks.md", "x\n");
    else write(top, "new/tasks.md", "x\n");
    const specFiles = specIn(join(top, kind === "tracked" ? "spec" : "new"));
    const lock = join(top, ".git/index.lock");
    write(top, ".git/index.lock", "theirs");
    const startedAt = performance.now();
    await expect(git({ workspace: top, specFiles, lockTimeoutMs: 300 }).commit("tick")).rejects.toMatchObject({
      code: "git-locked",
      message: `Cannot commit: \`${lock}\` was not removed within 0.3 s`,
      hint: expect.stringContaining("fixpoint never does"),
    });
    expect(performance.now() - startedAt).toBeGreaterThan(290);
    expect(existsSync(lock)).toBe(true);
    expect(inFolder(top, "rev-parse", "HEAD")).toBe(first);
  });
});

describe("a commit that git refuses", () => {
  it("names what is missing, and does not change the index", async () => {
    const { top, git } = sample();
    write(top, "new.md");
    inFolder(top, "rm", "-q", "--cached", "spec/tasks.md");
    inFolder(top, "commit", "-q", "-m", "untracked");
    const before = status(top);
    inFolder(top, "config", "user.useConfigOnly", "true");
    for (const name of ["AUTHOR", "COMMITTER"]) {
      vi.stubEnv(`GIT_${name}_NAME`, undefined);
      vi.stubEnv(`GIT_${name}_EMAIL`, undefined);
    }
    vi.stubEnv("EMAIL", undefined);
    await expect(git.commit("tick")).rejects.toMatchObject({
      code: "git-refused",
      message: `Cannot commit in \`${top}\`: fatal: no email was given and auto-detection is disabled`,
    });
    expect(status(top)).toEqual(before);
  });

  it("has no message", async () => {
    const { top, git } = sample();
    write(top, "spec/tasks.md", "x\n");
    await expect(git.commit(" \n")).rejects.toMatchObject({
      code: "git-refused",
      message: `Cannot commit in \`${top}\`: Aborting commit due to empty commit message.`,
    });
  });

  it.each([
    ["merge", ["merge", "side"]],
    ["rebase", ["rebase", "side"]],
    ["rebase", ["rebase", "--apply", "side"]],
    ["cherry-pick", ["cherry-pick", "side"]],
    ["revert", ["revert", "--no-edit", "HEAD~"]],
  ])("is in the middle of a %s, which is not disturbed", async (what, command) => {
    const { top, git } = sample();
    inFolder(top, "checkout", "-q", "-b", "side");
    write(top, "src/a.ts", "side\n");
    commitAll(top, "side");
    inFolder(top, "checkout", "-q", "main");
    write(top, "src/a.ts", "main\n");
    commitAll(top, "main");
    write(top, "src/a.ts", "more\n");
    commitAll(top, "more");
    expect(() => inFolder(top, ...command)).toThrow();
    write(top, "spec/tasks.md", "x\n");
    const before = status(top);
    await expect(git.commit("tick")).rejects.toMatchObject({
      code: "git-refused",
      message: `Cannot commit in \`${top}\`: a ${what} is in progress`,
    });
    expect(status(top)).toEqual(before);
  });

  it("is in a folder without a repository, or for a spec outside of it", async () => {
    const outside = temporaryFolder();
    write(outside, "tasks.md");
    await expect(git({ workspace: outside, specFiles: specIn(outside) }).commit("x")).rejects.toMatchObject({
      code: "git-refused",
      message: `Cannot commit in \`${outside}\`: there is no repository`,
    });
    const top = repository();
    const nested = join(top, "nested");
    mkdirSync(nested);
    inFolder(nested, "init", "-q");
    write(nested, "tasks.md");
    for (const folder of [outside, nested]) {
      await expect(git({ workspace: top, specFiles: specIn(folder) }).commit("x")).rejects.toMatchObject({
        code: "git-refused",
        message: `Cannot commit in \`${top}\`: the spec's file ${join(folder, "tasks.md")} is outside of the repository`,
      });
    }
  });

  it("is every commit if git is missing", async () => {
    const { top, git } = sample();
    write(top, "spec/tasks.md", "x\n");
    vi.stubEnv("PATH", "/no/such/folder");
    await expect(git.commit("tick")).rejects.toMatchObject({
      code: "git-refused",
      message: `Cannot commit in \`${top}\`: git cannot start`,
    });
  });
});
