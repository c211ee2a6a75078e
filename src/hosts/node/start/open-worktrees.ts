import { existsSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { fileState } from "../../../adapters/file-state.ts";
import { callGit } from "../../../adapters/git/call-git.ts";
import { findRepository, realFolder } from "../../../adapters/git/find-repository.ts";
import { readHead } from "../../../adapters/git/read-head.ts";
import { isIgnored } from "../../../adapters/git/trees/user-repository.ts";
import { trees } from "../../../adapters/git/trees.ts";
import { sweepWorktrees, worktrees } from "../../../adapters/git/worktrees.ts";
import { git } from "../../../adapters/git.ts";
import { treesOfRun, worktreesIn } from "../../../adapters/user/run-trees.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { plainLine } from "../../../markdown/text/plain-line.ts";
import { InputError } from "../../../model/errors.ts";
import type { Policy } from "../../../model/policy.ts";
import type { Trees } from "../../../ports/git.ts";
import { lastLine } from "../../../recover/classify-failure.ts";
import { ownShell } from "./notify-person.ts";
import type { Start } from "./start.ts";

/** Oldest version of git that merges trees without a working tree. */
const oldest = { major: 2, minor: 38 };

type Wanted = Pick<
  Policy,
  "worktrees" | "race" | "worktreeLink" | "requireExecutorTick" | "requireCommit" | "commit" | "pullRequest"
>;

/**
 * Check that tasks of a batch, or of a race, can work in worktrees of the repository around a workspace.
 *
 * @param workspace Absolute folder.
 * @throws {InputError} `worktree-refused`
 */
export async function checkWorktrees(workspace: string, wanted: Wanted): Promise<void> {
  if (!wanted.worktrees && wanted.race === null) return;
  const expected = await whyNot(workspace, wanted);
  if (expected === null) return;
  throw new InputError(`Cannot work in worktrees of \`${workspace}\`, expected ${expected}`, {
    code: "worktree-refused",
    ways: [
      {
        say: "Fix that, or run without worktrees",
        words: [...(wanted.worktrees ? ["--no-worktrees"] : []), ...(wanted.race === null ? [] : ["--race", "off"])],
      },
    ],
  });
}

/** Notices about worktree options that have no effect in this run. */
export function idleWorktrees({ worktrees: wanted, race, worktreeLink, worktreeSetup, maxParallel }: Policy): string[] {
  if (wanted)
    return maxParallel > 1 || race !== null
      ? []
      : ["--worktrees does nothing with --max-parallel 1: no two tasks are worked on at once"];
  if (race !== null) return [];
  const set = [worktreeSetup !== null && "--worktree-setup", worktreeLink !== null && "--worktree-link"];
  return set.flatMap((option) => (option === false ? [] : [`${option} does nothing without --worktrees or --race`]));
}

/** Describe the first requirement for worktrees that is not met; null if all are met. */
async function whyNot(
  workspace: string,
  { requireCommit, requireExecutorTick, worktreeLink, commit, pullRequest }: Wanted,
): Promise<string | null> {
  if (requireExecutorTick) return "no --require-executor-tick, since executors see only a copy of the plan there";
  if (requireCommit) return "no --require-commit, since the files of a worktree are merged, not its commits";
  if (pullRequest !== undefined && commit !== "all")
    return "`--commit all` for the pull request, since the files of a worktree are merged, not its commits";
  const found = findRepository(workspace);
  if (found === null || readHead(workspace).kind === "unborn") return "a repository with a commit around it";
  if (found.top !== realFolder(workspace)) return `the top of its repository, \`${found.top}\``;
  const told = (await callGit(["version"], { cwd: workspace }))?.stdout ?? "";
  const [major = 0, minor = 0] = (/^git version (\d{1,6})\.(\d{1,6})/.exec(told)?.slice(1) ?? []).map(Number);
  const isNew = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  if (!isNew) return `git ${oldest.major}.${oldest.minor} or later, not \`${plainLine(told, 100)}\``;
  for (const link of worktreeLink ?? []) {
    const path = pathOf(link);
    const isWithin = path !== "." && path !== ".." && !path.startsWith("../") && !isAbsolute(path);
    if (!isWithin || !existsSync(join(workspace, path)) || !(await isIgnored(found.top, path))) {
      return `only existing paths that git ignores as --worktree-link, not \`${plainLine(link, 200)}\``;
    }
  }
  return null;
}

const pathOf = (link: string): string => normalize(link).replace(/\/$/, "");

/** Create worktrees for the tasks of a batch or of a race; null if the run uses none. */
export function openWorktrees(start: Start, { run, outputs, contents }: OpenWorktrees) {
  const { origin, workspace, spec, guard, emit } = start;
  const { policy } = origin;
  if (!policy.worktrees && policy.race === null) return null;
  const place = userFolder(spec.folder, workspace);
  const folder = treesOfRun(place, run);
  const links = (policy.worktreeLink ?? []).map(pathOf);
  return worktrees({
    ...{
      workspace: realFolder(workspace),
      links,
      specFolder: spec.folder,
      folder: worktreesIn(place),
      trees: contents,
    },
    portsOf: (inside, specFolder) => ({
      workspace: inside,
      shell: ownShell({ ...start, workspace: inside }, outputs),
      trees: trees({
        ...{ workspace: inside, specFolder, folder, isShared: true, without: links },
        onUnknown: (reason) =>
          emit({
            type: "notice",
            message: `The changes in a worktree are unknown: ${plainLine(reason, 300)}`,
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

export async function dropLeftWorktrees({ workspace, spec }: Pick<Start, "workspace" | "spec">): Promise<void> {
  const folder = worktreesIn(userFolder(spec.folder, workspace));
  if (existsSync(folder)) await sweepWorktrees(folder, workspace);
}

interface OpenWorktrees {
  readonly run: string;
  readonly outputs: string;
  readonly contents: Trees;
}
