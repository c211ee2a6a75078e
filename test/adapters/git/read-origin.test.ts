import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readOrigin } from "../../../src/adapters/git/read-origin.ts";
import { temporaryFolder, writeScript } from "../../support/folder.ts";
import { commitAll, inFolder, repository, stubIdentity, write } from "./sample-repository.ts";

beforeEach(stubIdentity);
afterEach(() => {
  vi.unstubAllEnvs();
});

const read = (folder: string) => readOrigin(folder, folder);

describe("the origin of a workspace", () => {
  it("is that of the folder without a repository, before a commit, and outside of HEAD", async () => {
    const folder = temporaryFolder();
    const none = { head: null, roots: [], unknown: null, workspace: expect.any(Object) };
    expect(await read(folder)).toMatchObject(none);
    inFolder(folder, "init", "-q");
    expect(await read(folder)).toMatchObject(none);
    write(folder, "a");
    commitAll(folder);
    mkdirSync(join(folder, "b"));
    expect(await read(join(folder, "b"))).toMatchObject(none);
    expect(await read(folder)).toMatchObject({ head: expect.any(String) });
  });

  it("has the roots of HEAD, whatever repository the environment names", async () => {
    const top = repository(3);
    const first = inFolder(top, "rev-list", "--max-parents=0", "HEAD");
    vi.stubEnv("GIT_DIR", join(repository(1), ".git"));
    expect((await read(top)).roots).toEqual([first]);
  });

  it("has addresses of remotes without logins, that of origin first", async () => {
    const top = repository(1);
    inFolder(top, "remote", "add", "a", "ssh://git@b/c");
    inFolder(top, "remote", "add", "origin", "https://me:token@example.org/app");
    expect((await read(top)).remotes).toEqual(["https://example.org/app", "ssh://b/c"]);
  });

  it("is unknown if git refuses, or is missing", async () => {
    const top = repository(1);
    writeFileSync(join(top, ".git/HEAD"), "ref: refs/heads/main\0\n");
    writeFileSync(join(top, ".git/config"), "[\n");
    expect(await read(top)).toMatchObject({ head: null, unknown: expect.stringContaining("git gives no answer in") });
    const other = repository(1);
    vi.stubEnv("PATH", temporaryFolder());
    expect(await read(other)).toMatchObject({ unknown: expect.stringContaining("git cannot start") });
  });

  it("runs nothing that a repository configures", async () => {
    const top = repository(0);
    write(top, "spec/a");
    write(top, "b");
    commitAll(top, "first");
    write(top, "b", "2");
    const last = commitAll(top, "second");
    const trace = join(temporaryFolder(), "trace");
    const program = writeScript(temporaryFolder(), "program", `touch '${trace}'; exit 1`);
    // In a partial clone, git would fetch missing objects.
    const promised = {
      "core.repositoryFormatVersion": "1",
      "extensions.partialClone": "evil",
      "remote.evil.promisor": "true",
      "remote.evil.url": `ext::${program}`,
      "remote.evil.uploadpack": program,
      "protocol.ext.allow": "always",
      "protocol.file.allow": "always",
      "core.fsmonitor": program,
      "core.hooksPath": join(top, "hooks"),
      "core.pager": program,
      "pager.rev-list": program,
      "core.sshCommand": program,
      "core.gitProxy": program,
      "core.alternateRefsCommand": program,
      "filter.x.clean": program,
      "filter.x.smudge": program,
      "diff.external": program,
      "gpg.program": program,
      "log.showSignature": "true",
      "alias.rev-list": `!${program}`,
      "alias.rev-parse": `!${program}`,
      "credential.helper": program,
    };
    for (const [name, value] of Object.entries(promised)) inFolder(top, "config", name, value);
    mkdirSync(join(top, "hooks"));
    for (const name of ["post-index-change", "reference-transaction"]) writeScript(join(top, "hooks"), name, program);
    for (const missing of [`${last}^{tree}`, `${last}^`]) {
      const object = inFolder(top, "rev-parse", missing);
      rmSync(join(top, ".git/objects", object.slice(0, 2), object.slice(2)));
      await read(top);
      await readOrigin(join(top, "spec"), join(top, "spec"), { ...(await read(top)), head: "0".repeat(40) });
    }
    for (const url of [top, `file://${top}`, "ssh://x/y", "git://x/y"]) {
      inFolder(top, "config", "remote.evil.url", url);
      await read(top);
    }
    expect(existsSync(trace)).toBe(false);
  });
});
