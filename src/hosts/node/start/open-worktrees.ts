import { fileState } from "../../../adapters/file-state.ts";
import { callGit } from "../../../adapters/git/call-git.ts";
import { findRepository } from "../../../adapters/git/find-repository.ts";
import { readHead } from "../../../adapters/git/read-head.ts";
import { trees } from "../../../adapters/git/trees.ts";
import { worktrees } from "../../../adapters/git/worktrees.ts";
import { git } from "../../../adapters/git.ts";
import { treesOfRun, worktreesIn } from "../../../adapters/user/run-trees.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { plainLine } from "../../../markdown/text/plain-line.ts";
import { InputError } from "../../../model/errors.ts";
import type { Policy } from "../../../model/policy.ts";
import type { Trees } from "../../../ports/trees.ts";
import { lastLine } from "../../../recover/classify-failure.ts";
import { ownShell } from "./notify-person.ts";
import type { Start } from "./start.ts";

/** Since then git merges trees without a working tree. */
const oldest = { major: 2, minor: 38 };

/**
 * Check that members of a batch can work in worktrees of the repository around a workspace.
 *
 * @param workspace Absolute folder.
 * @throws {InputError} `worktree-refused`
 */
export async function checkWorktrees(
  workspace: string,
  { worktrees: wanted, requireExecutorTick }: Pick<Policy, "worktrees" | "requireExecutorTick">,
): Promise<void> {
  if (!wanted) return;
  if (requireExecutorTick) {
    throw new InputError("Cannot require ticks of executors that work in worktrees, expected one of the two options", {
      code: "worktree-refused",
      ways: [{ say: "Let members of a batch share the workspace", words: ["--no-worktrees"] }],
    });
  }
  const isThere = findRepository(workspace) !== null && readHead(workspace).kind !== "unborn";
  const told = (await callGit(["version"], { cwd: workspace }))?.stdout ?? "";
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(told)?.slice(1) ?? []).map(Number);
  const isNew = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  if (isThere && isNew) return;
  const expected = isThere
    ? `git ${oldest.major}.${oldest.minor} or later, not \`${plainLine(told, 100)}\``
    : "a repository with a commit around it";
  throw new InputError(`Cannot work in worktrees of \`${workspace}\`, expected ${expected}`, {
    code: "worktree-refused",
    ways: [{ say: "Mend that, or let members of a batch share the workspace", words: ["--no-worktrees"] }],
  });
}

/** The worktrees in which members of a batch work; null where they share the workspace. */
export function openWorktrees(start: Start, { run, outputs, contents }: OpenWorktrees) {
  const { origin, workspace, spec, guard, emit } = start;
  const { policy } = origin;
  const found = policy.worktrees ? findRepository(workspace) : null;
  if (found === null) return null;
  const place = userFolder(spec.folder, workspace);
  const folder = treesOfRun(place, run);
  const links = policy.worktreeLink ?? [];
  return worktrees({
    ...{ workspace, links, top: found.top, specFolder: spec.folder, folder: worktreesIn(place), trees: contents },
    portsOf: (inside, specFolder) => ({
      workspace: inside,
      shell: ownShell({ ...start, workspace: inside }, outputs),
      trees: trees({
        ...{ workspace: inside, specFolder, folder, isShared: true, without: links },
        onUnknown: (reason) =>
          emit({
            type: "notice",
            message: `It is not known what has changed in a worktree: ${plainLine(reason, 300)}`,
          }),
      }),
      git: git({
        workspace: inside,
        specFiles: { "tasks.md": spec.tasksPath, ".progress.md": spec.progressPath },
        programs: guard.programs,
      }),
      fileState: fileState({ workspace: inside, specFolder, programs: guard.programs }),
    }),
    setUp: async ({ shell }, name, signal) => {
      const command = policy.worktreeSetup;
      if (command === null) return null;
      const { exitCode, stdout, stderr } = await shell.run(
        command,
        { timeoutMs: policy.verifyTimeout, keepAs: name },
        signal,
      );
      return exitCode === 0 ? null : plainLine(lastLine(stderr) ?? lastLine(stdout) ?? `\`${command}\` failed`, 300);
    },
  });
}

interface OpenWorktrees {
  /** Name of the run's folder. */
  readonly run: string;
  /** Folder of outputs that are kept. */
  readonly outputs: string;
  /** The contents of the workspace. */
  readonly contents: Trees;
}
