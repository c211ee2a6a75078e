import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readHead } from "../../src/adapters/git/read-head.ts";
import { git } from "../../src/adapters/git.ts";
import { temporaryFolder } from "../support/folder.ts";
import { inFolder, repository, stubIdentity } from "./git/sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

const short = (folder: string) => inFolder(folder, "rev-parse", "--short", "HEAD");

async function expectHead(folder: string, kind: "commit" | "unclear" = "commit") {
  expect(readHead(folder)).toEqual(
    kind === "commit" ? { kind, hash: inFolder(folder, "rev-parse", "HEAD") } : { kind },
  );
  expect(await git({ workspace: folder }).head()).toBe(short(folder));
}

describe("HEAD of git", () => {
  it("is missing outside a repository, before the first commit and without git", async () => {
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

  it("detects a repository created later", async () => {
    const workspace = temporaryFolder();
    const { head } = git({ workspace });
    expect(await head()).toBeNull();
    inFolder(workspace, "init", "-q");
    inFolder(workspace, "commit", "-q", "--allow-empty", "-m", "first");
    expect(await head()).toBe(short(workspace));
  });

  it("starts git only if HEAD has moved", async () => {
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

  it("asks git if the files are ambiguous", async () => {
    const folder = repository();
    inFolder(folder, "symbolic-ref", "refs/heads/alias", "refs/heads/main");
    writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/alias\n");
    await expectHead(folder, "unclear");
  });

  it("ignores an invalid .git, as git does", async () => {
    const folder = repository();
    mkdirSync(join(folder, "a", ".git"), { recursive: true });
    await expectHead(join(folder, "a"));
  });

  it("is null for a broken repository", async () => {
    const folder = repository();
    writeFileSync(join(folder, ".git", "HEAD"), "nonsense\n");
    expect(await git({ workspace: folder }).head()).toBeNull();
    writeFileSync(join(folder, ".git", "HEAD"), `${"0123456789".repeat(4)}\n`);
    expect(await git({ workspace: folder }).head()).toBeNull();
  });
});
