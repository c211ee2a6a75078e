import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder, writeScript } from "../../support/folder.ts";
import { inFolder, sample, stubIdentity, write } from "./sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

function hooked(configure: (top: string, hook: (folder: string, name: string) => void) => void) {
  const { top, git } = sample();
  const trace = join(temporaryFolder(), "trace");
  configure(top, (folder, name) => {
    mkdirSync(folder, { recursive: true });
    writeScript(folder, name, `touch '${trace}'\nexit 1`);
  });
  return { top, git, ran: () => existsSync(trace) };
}

const names = [
  "pre-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "post-index-change",
  "reference-transaction",
  "post-rewrite",
];

describe("our own calls of git", () => {
  it.each([
    ["of the repository", ".git/hooks"],
    ["that the environment names", "hooks"],
  ])("run no hooks %s", async (_, place) => {
    const { top, git, ran } = hooked((folder, hook) => {
      for (const name of names) hook(join(folder, place), name);
    });
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "core.hooksPath");
    vi.stubEnv("GIT_CONFIG_VALUE_0", join(top, place));
    const mark = await git.mark();
    write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    expect(await git.commit("tick")).toMatch(/^[0-9a-f]{7,}$/);
    if (mark !== null) await git.since(mark);
    expect(ran()).toBe(false);
    expect(() => inFolder(top, "commit", "-q", "--allow-empty", "-m", "by hand")).toThrow();
    expect(ran()).toBe(true);
  });

  it("check no signatures", async () => {
    const { top, git, ran } = hooked((folder, hook) => hook(folder, "verifier"));
    const signature = "-----BEGIN PGP SIGNATURE-----\n\n-----END PGP SIGNATURE-----";
    const signer = writeScript(
      temporaryFolder(),
      "signer",
      `cat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho '${signature}'`,
    );
    const mark = await git.mark();
    inFolder(top, "-c", `gpg.program=${signer}`, "commit", "-q", "--allow-empty", "-S", "-m", "signed");
    inFolder(top, "config", "gpg.program", join(top, "verifier"));
    inFolder(top, "config", "log.showSignature", "true");
    expect(mark !== null && (await git.since(mark))).toMatchObject({ commits: [{ subject: "signed" }] });
    expect(ran()).toBe(false);
    inFolder(top, "log", "-1");
    expect(ran()).toBe(true);
  });

  it("do not prompt, are in English, and keep the caller's settings", async () => {
    const { git } = sample();
    const folder = temporaryFolder();
    writeScript(folder, "git", `env > '${folder}/env'`);
    vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
    vi.stubEnv("LC_ALL", "de_DE.UTF-8");
    vi.stubEnv("GIT_TERMINAL_PROMPT", "1");
    vi.stubEnv("GIT_SSH_COMMAND", "ssh -v");
    await git.head();
    const variables = readFileSync(join(folder, "env"), "utf8").split("\n");
    expect(variables).toEqual(
      expect.arrayContaining(["LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_SSH_COMMAND=ssh -v"]),
    );
  });

  it("run no file system monitor", async () => {
    const { top, git, ran } = hooked((folder, hook) => {
      hook(folder, "monitor");
      inFolder(folder, "config", "core.fsmonitor", join(folder, "monitor"));
    });
    const mark = await git.mark();
    write(top, "spec/tasks.md", "- [x] 1.1 A\n");
    await git.commit("tick");
    if (mark !== null) await git.since(mark);
    expect(ran()).toBe(false);
    inFolder(top, "status");
    expect(ran()).toBe(true);
  });
});
