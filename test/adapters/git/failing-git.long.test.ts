import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fileState } from "../../../src/adapters/file-state.ts";
import { findCommand } from "../../../src/adapters/processes/shell-command.ts";
import { temporaryFolder, writeScript } from "../../support/folder.ts";
import { commitAll, inFolder, sample, stubIdentity, write } from "./sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

const fails = 'echo "fatal: x" >&2; exit 129';
const goes = '/bin/rm -f "$0"';

function breakGit(command: string, script: string): void {
  const folder = temporaryFolder();
  const real = findCommand("git", "/");
  writeScript(folder, "git", `case " $* " in *" ${command} "*) ${script} ;; esac\nexec '${real}' "$@"`);
  vi.stubEnv("PATH", folder);
}

const notStarted = "git cannot start";

describe("since of git", () => {
  it.each([
    ["status", fails, "read the state of files", "fatal: x"],
    ["status", "exit 1", "read the state of files", "git ended with 1"],
    ["status", "kill -KILL $$", "read the state of files", "git was stopped before it finished"],
    ["status", goes, "read history", notStarted],
    ["merge-base", fails, "read history", "fatal: x"],
    ["merge-base", goes, "read history", notStarted],
    ["log", fails, "read history", "fatal: x"],
    ["diff-tree", fails, "read history", "fatal: x"],
  ])("is refused if git %s does this: %s", async (command, script, verb, reason) => {
    const { top, git } = sample();
    const mark = await git.mark();
    write(top, "src/a.ts");
    commitAll(top);
    breakGit(command, script);
    await expect(mark && git.since(mark)).rejects.toMatchObject({
      code: "git-refused",
      message: `Cannot ${verb} in \`${top}\`: ${reason}`,
    });
  });

  it("is null if git disappears before it accepts the repository", async () => {
    const { git } = sample();
    const mark = await git.mark();
    breakGit("status", `${goes}; exit 1`);
    expect(mark && (await git.since(mark))).toBeNull();
  });
});

describe("a commit", () => {
  it.each([
    ["status", fails, "fatal: x"],
    ["status", goes, notStarted],
    ["update-index", fails, "fatal: x"],
    ["update-index", goes, notStarted],
    ["commit", fails, "fatal: x"],
    ["commit", "exit 1", "git ended with 1"],
    ["commit", `${goes}; exit 1`, "git ended with 1"],
  ])("is refused if git %s does this: %s", async (command, script, reason) => {
    const { top, git } = sample();
    inFolder(top, "rm", "-q", "--cached", "spec/tasks.md");
    inFolder(top, "commit", "-q", "-m", "untracked");
    write(top, "spec/tasks.md", "x\n");
    breakGit(command, script);
    await expect(git.commit("tick")).rejects.toMatchObject({
      code: "git-refused",
      message: `Cannot commit in \`${top}\`: ${reason}`,
    });
  });

  it("does not change the index if it is refused", async () => {
    const { top, git } = sample();
    inFolder(top, "rm", "-q", "--cached", "spec/tasks.md");
    inFolder(top, "commit", "-q", "-m", "untracked");
    for (const path of ["spec/tasks.md", "spec/.progress.md"]) write(top, path, "x\n");
    const before = inFolder(top, "status", "--porcelain");
    breakGit("commit", fails);
    await expect(git.commit("tick")).rejects.toMatchObject({ code: "git-refused" });
    expect(inFolder(top, "status", "--porcelain")).toBe(before);
  });

  it("is refused if git fails for another reason than the lack of a difference", async () => {
    const { top, git } = sample();
    write(top, "spec/tasks.md", "staged\n");
    inFolder(top, "add", ".");
    write(top, "spec/tasks.md", "- [ ] 1.1 A\n");
    breakGit("commit", fails);
    await expect(git.commit("tick")).rejects.toMatchObject({ code: "git-refused" });
  });
});

describe("the state of files", () => {
  it.each([
    ["has no name if git fails", fails, false],
    ["is that of declared files if git disappears", `${goes}; exit 1`, true],
  ])("%s", async (_, script, isNamed) => {
    const { top } = sample();
    const state = fileState({ workspace: top, specFolder: join(top, "spec") });
    breakGit("status", script);
    expect((await state(["src/a.ts"])) !== null).toBe(isNamed);
  });
});
