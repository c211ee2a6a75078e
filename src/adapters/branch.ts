import { type Branch, isProtected } from "../ports/branch.ts";
import { callGit, type Programs, reasonOf } from "./git/call-git.ts";
import { adoptCommit, pushCommit, readAhead, readRemote } from "./git/call-remote.ts";
import { runData } from "./git/commit-files.ts";
import { pathInside, repositoryFinder, type SpecFiles } from "./git/find-repository.ts";
import { readBranch } from "./git/read-head.ts";
import { nothingUntracked, readWholeStatus, type Untracked, untrackedIn } from "./git/read-status.ts";

const mostDirty = 200;

/**
 * The branch of the repository around a workspace. Without a repository, a local query returns nothing, and a remote
 * query is refused.
 */
export function branch({
  workspace,
  specFiles = {},
  programs = {},
  untracked = () => nothingUntracked,
  check = async () => {},
}: {
  readonly workspace: string;
  readonly specFiles?: SpecFiles;
  readonly programs?: Programs;
  /** Paths that git did not track before the run: they stay uncommitted. */
  readonly untracked?: () => Untracked;
  /** Rejects if the run must neither push nor fast-forward the branch now. */
  readonly check?: () => Promise<void>;
}): Branch {
  const find = repositoryFinder(workspace);
  const place = () => ({ cwd: find()?.top ?? workspace, programs });
  const local: Branch["local"] = async () => {
    const repository = find();
    if (repository === null) return { head: null, branch: null, dirty: [] };
    const status = await readWholeStatus(repository.top, programs);
    if ("end" in status) return { head: null, branch: null, dirty: [] };
    const own = new Set(Object.values(specFiles).map((file) => pathInside(file, repository)));
    const isLeft = untrackedIn(untracked());
    const dirty = status.dirty.filter(({ path, inHead }) => inHead !== null || !isLeft(path)).map(({ path }) => path);
    return {
      head: status.head,
      branch: await readBranch(repository.top),
      dirty: dirty.filter((path) => !own.has(path) && !runData.test(path)).slice(0, mostDirty),
    };
  };
  return {
    local,
    remote: (names, signal) => readRemote(names, place(), signal),
    ahead: (names, signal) => readAhead(names, place(), signal),
    async push(push, signal) {
      await check();
      return pushCommit(push, place(), signal);
    },
    async adopt(names, signal) {
      await check();
      return adoptCommit(names, { ...place(), isClean: async () => (await local()).dirty.length === 0 }, signal);
    },
    async begin(name) {
      if ((await local()).branch === name) return { kind: "done" };
      const isName = (await callGit(["check-ref-format", "--branch", name], place()))?.exitCode === 0;
      if (!isName || isProtected(name)) {
        return {
          kind: "refused",
          reason: `cannot create the branch \`${name}\` here`,
          hint: "Name another branch with --branch",
        };
      }
      const end = await callGit(["switch", "--create", name], place());
      if (end?.exitCode === 0) return { kind: "done" };
      return { kind: "refused", reason: reasonOf(end), hint: `Check out \`${name}\` by hand, or name another branch` };
    },
  };
}
