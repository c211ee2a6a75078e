import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { git } from "../../../src/adapters/git.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { countCalls, inFolder, repository, sample, specIn, stubIdentity } from "./sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("mark of git", () => {
  it("contains HEAD, the time and the content of the spec's files", async () => {
    const { top, first, git } = sample();
    rmSync(join(top, "spec/.progress.md"));
    const earliest = Date.now();
    const mark = await git.mark();
    expect(mark).toEqual({
      head: first,
      at: expect.any(Number),
      files: { "tasks.md": createHash("sha256").update("- [ ] 1.1 A\n").digest("hex"), ".progress.md": null },
    });
    expect(mark?.at).toBeGreaterThanOrEqual(earliest);
    expect(mark?.at).toBeLessThanOrEqual(Date.now());
  });

  it("starts no process", async () => {
    const { git: inSample } = sample();
    const ports = [inSample, git({ workspace: repository(0) }), git({ workspace: temporaryFolder() })];
    const calls = countCalls();
    for (const { mark } of ports) await mark();
    expect(calls()).toBe(0);
    await inSample.since({ head: null, at: 0, files: {} });
    expect(calls()).toBeGreaterThan(0);
  });

  it("asks git if the files do not state HEAD", async () => {
    const { top, first, git } = sample();
    inFolder(top, "symbolic-ref", "refs/heads/alias", "refs/heads/main");
    writeFileSync(join(top, ".git/HEAD"), "ref: refs/heads/alias\n");
    expect(await git.mark()).toMatchObject({ head: first });
    inFolder(top, "symbolic-ref", "refs/heads/alias", "refs/heads/none");
    expect(await git.mark()).toMatchObject({ head: null });
    writeFileSync(join(top, ".git/HEAD"), "nonsense\n");
    expect(await git.mark()).toBeNull();
  });

  it("has no head before the first commit", async () => {
    expect(await git({ workspace: repository(0) }).mark()).toMatchObject({ head: null, files: {} });
  });

  it("is null outside a repository and without git", async () => {
    expect(await git({ workspace: temporaryFolder() }).mark()).toBeNull();
    const { git: inSample } = sample();
    vi.stubEnv("PATH", "/no/such/folder");
    expect(await inSample.mark()).toBeNull();
  });

  it("does not block on a pipe in place of a file", async () => {
    const folder = repository();
    execFileSync("mkfifo", [join(folder, "tasks.md")]);
    const { mark } = git({ workspace: folder, specFiles: specIn(folder) });
    expect(await mark()).toMatchObject({ files: { "tasks.md": null } });
  });
});
