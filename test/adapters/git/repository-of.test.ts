import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkIdentity, repositoryOf } from "../../../src/adapters/git/read-head.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { inFolder, repository, sample, stubIdentity } from "./sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("repositoryOf", () => {
  it("returns the top of the working tree, also before the first commit", async () => {
    const { top } = sample();
    expect(await repositoryOf(join(top, "src"), join(top, "spec"))).toBe(top);
    const empty = repository(0);
    expect(await repositoryOf(empty, empty)).toBe(empty);
  });

  it("refuses a folder without a repository, and one without a working tree", async () => {
    const outside = temporaryFolder();
    const bare = temporaryFolder();
    inFolder(bare, "init", "-q", "--bare");
    for (const folder of [outside, bare]) {
      await expect(repositoryOf(folder, folder)).rejects.toMatchObject({
        blame: "input",
        code: "repository-missing",
        message: expect.stringContaining(`Cannot find the repository around \`${folder}\``),
        hint: expect.stringContaining("git init"),
      });
    }
  });

  it("refuses a spec of another repository", async () => {
    const { top } = sample();
    const nested = join(top, "nested");
    mkdirSync(nested);
    inFolder(nested, "init", "-q");
    await expect(repositoryOf(top, nested)).rejects.toMatchObject({
      code: "repository-missing",
      message: `Cannot commit \`${nested}\`, expected a folder of the repository \`${top}\``,
    });
  });

  it("refuses a machine without git", async () => {
    const { top } = sample();
    vi.stubEnv("PATH", "/no/such/folder");
    await expect(repositoryOf(top, top)).rejects.toMatchObject({
      code: "repository-missing",
      message: `Cannot start \`git\` in \`${top}\`, expected it on the PATH`,
      hint: expect.stringMatching(/^Install git/),
    });
  });

  it("names the setting that requires commits if no option can revert it", async () => {
    const outside = temporaryFolder();
    await expect(repositoryOf(outside, outside, true)).rejects.toMatchObject({
      hint: "Create a repository with git init, or set requireCommit to false in fixpoint.config.json, then run without commits (commit: false, requireCommit: false)",
    });
  });
});

describe("the identity of commits", () => {
  it.each(["GIT_AUTHOR", "GIT_COMMITTER"])("is refused if git knows no %s", async (unknown) => {
    const { top } = sample();
    await checkIdentity(top);
    inFolder(top, "config", "user.useConfigOnly", "true");
    vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
    for (const part of ["NAME", "EMAIL"]) vi.stubEnv(`${unknown}_${part}`, undefined);
    await expect(checkIdentity(top)).rejects.toMatchObject({
      code: "identity-missing",
      message: expect.stringContaining(`Cannot commit in \`${top}\`, expected a user name and an email address: `),
      hint: expect.stringContaining("git config user.email"),
    });
  });
});
