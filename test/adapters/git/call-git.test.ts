import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { callGit } from "../../../src/adapters/git/call-git.ts";
import { temporaryFolder, writeScript } from "../../support/folder.ts";
import { openIn } from "../../support/open-in.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A `git` that is this script, and nothing else on the PATH but what the machine has. */
function withGit(script: string): string {
  const folder = temporaryFolder();
  writeScript(folder, "git", script);
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
  return folder;
}

describe("callGit", () => {
  it("gives git its input, and answers how it ended and what it printed", async () => {
    const cwd = withGit('pwd; cat; for last; do :; done; echo "$last" >&2; exit 3');
    expect(await callGit(["rev-parse", "b c"], { cwd, stdin: "in\n" })).toEqual({
      exitCode: 3,
      stdout: `${cwd}\nin\n`,
      stderr: "b c\n",
    });
    expect(await callGit(["rev-parse"], { cwd })).toEqual({ exitCode: 3, stdout: `${cwd}\n`, stderr: "rev-parse\n" });
  });

  it("has no exit code of a git that was killed, and no answer of one that cannot be started", async () => {
    const cwd = withGit("kill -KILL $$");
    expect(await callGit(["status"], { cwd })).toEqual({ exitCode: null, stdout: "", stderr: "" });
    vi.stubEnv("PATH", "/no/such/folder");
    expect(await callGit(["status"], { cwd })).toBeNull();
  });

  it("leaves out of the environment what leads git elsewhere, and nothing else", async () => {
    const misleading = [
      ...["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"],
      ...["GIT_PREFIX", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_GLOB_PATHSPECS", "GIT_TRACE", "GIT_TRACE2_EVENT"],
    ];
    const kept = ["GIT_SSH_COMMAND", "GIT_AUTHOR_NAME", "GIT_CONFIG_GLOBAL", "GIT_DIRECTORY", "MY_GIT_DIR", "GIT_"];
    const cwd = withGit("env > env");
    for (const name of [...misleading, ...kept]) vi.stubEnv(name, "/x");
    for (const name of ["LC_ALL", "GIT_TERMINAL_PROMPT", "GIT_LITERAL_PATHSPECS"]) vi.stubEnv(name, "other");
    await callGit(["status"], { cwd });
    const lines = readFileSync(join(cwd, "env"), "utf8").split("\n");
    expect(lines).toEqual(expect.arrayContaining(kept.map((name) => `${name}=/x`)));
    expect(lines.filter((line) => misleading.some((name) => line.startsWith(`${name}=`)))).toEqual([]);
    expect(lines).toEqual(
      expect.arrayContaining([
        ...["LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1", "GIT_OPTIONAL_LOCKS=0"],
      ]),
    );
  });

  it.runIf(existsSync("/proc/self/fd"))("keeps no file open, however it ends", async () => {
    const cwd = withGit("exit 1");
    vi.stubEnv("TMPDIR", cwd);
    await callGit(["status"], { cwd });
    vi.stubEnv("PATH", "/no/such/folder");
    await callGit(["status"], { cwd });
    expect(openIn(cwd)).toBe(0);
  });
});
