import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { git } from "../../src/adapters/git.ts";
import { readHead } from "../../src/adapters/read-head.ts";
import { temporaryFolder } from "../support/folder.ts";

beforeEach(() => {
  for (const name of ["AUTHOR", "COMMITTER"]) {
    vi.stubEnv(`GIT_${name}_NAME`, "a");
    vi.stubEnv(`GIT_${name}_EMAIL`, "a@example.org");
  }
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const inFolder = (cwd: string, ...args: string[]) =>
  execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" }).trim();

function repository(commits = 1): string {
  const folder = temporaryFolder();
  inFolder(folder, "init", "-q", "-b", "main");
  for (let n = 0; n < commits; n++) inFolder(folder, "commit", "-q", "--allow-empty", "-m", `c${n}`);
  return folder;
}

const short = (folder: string) => inFolder(folder, "rev-parse", "--short", "HEAD");

/** What reading the files answers, and what git does, both against git itself. */
async function expectHead(folder: string, kind: "commit" | "unclear" = "commit") {
  expect(readHead(folder)).toEqual(
    kind === "commit" ? { kind, hash: inFolder(folder, "rev-parse", "HEAD") } : { kind },
  );
  expect(await git({ workspace: folder }).head()).toBe(short(folder));
}

describe("git", () => {
  it("has no HEAD outside a repository, before the first commit and without git", async () => {
    expect(await git({ workspace: temporaryFolder() }).head()).toBeNull();
    expect(await git({ workspace: repository(0) }).head()).toBeNull();
    const folder = repository();
    vi.stubEnv("PATH", "/no/such/folder");
    expect(await git({ workspace: folder }).head()).toBeNull();
  });

  it("follows HEAD", async () => {
    const workspace = repository();
    const { head } = git({ workspace });
    const first = await head();
    expect(first).toBe(short(workspace));
    expect(await head()).toBe(first);
    inFolder(workspace, "commit", "-q", "--allow-empty", "-m", "next");
    expect(await head()).toBe(short(workspace));
    expect(await head()).not.toBe(first);
    inFolder(workspace, "checkout", "-q", "--detach", "HEAD~");
    expect(await head()).toBe(first);
  });

  it("notices a repository that is made later", async () => {
    const workspace = temporaryFolder();
    const { head } = git({ workspace });
    expect(await head()).toBeNull();
    inFolder(workspace, "init", "-q");
    inFolder(workspace, "commit", "-q", "--allow-empty", "-m", "first");
    expect(await head()).toBe(short(workspace));
  });

  it("starts git only when HEAD has moved", async () => {
    const workspace = repository();
    const { head } = git({ workspace });
    const first = await head();
    vi.stubEnv("PATH", "/no/such/folder");
    expect(await head()).toBe(first);
  });

  it("finds the repository from a folder below it", async () => {
    const folder = join(repository(), "a", "b");
    mkdirSync(folder, { recursive: true });
    await expectHead(folder);
  });

  it("reads packed refs, worktrees and branches with slashes", async () => {
    const folder = repository(2);
    inFolder(folder, "checkout", "-q", "-b", "feat/x");
    await expectHead(folder);
    inFolder(folder, "pack-refs", "--all");
    rmSync(join(folder, ".git", "refs", "heads"), { recursive: true });
    mkdirSync(join(folder, ".git", "refs", "heads"));
    await expectHead(folder);
    const tree = join(temporaryFolder(), "tree");
    inFolder(folder, "worktree", "add", "-q", "-b", "other", tree, "HEAD~");
    await expectHead(tree);
  });

  it("leaves to git what the files do not say plainly", async () => {
    const folder = repository();
    inFolder(folder, "symbolic-ref", "refs/heads/alias", "refs/heads/main");
    writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/alias\n");
    await expectHead(folder, "unclear");
    const other = repository();
    vi.stubEnv("GIT_DIR", join(other, ".git"));
    expect(await git({ workspace: folder }).head()).toBe(short(other));
  });

  it("answers null for a broken repository", async () => {
    const folder = repository();
    writeFileSync(join(folder, ".git", "HEAD"), "nonsense\n");
    expect(await git({ workspace: folder }).head()).toBeNull();
    writeFileSync(join(folder, ".git", "HEAD"), `${"0123456789".repeat(4)}\n`);
    expect(await git({ workspace: folder }).head()).toBeNull();
  });
});
