import { type Branch, isProtected } from "../ports/branch.ts";
import { callGit, reasonOf } from "./git/call-git.ts";
import { runData } from "./git/commit-files.ts";
import { adoptCommit, readAhead } from "./git/fetch-commits.ts";
import { pathInside, repositoryFinder, type SpecFiles } from "./git/find-repository.ts";
import { pushCommit } from "./git/push-commit.ts";
import { readRemote } from "./git/read-remote.ts";
import { readStatus } from "./git/read-status.ts";

/** Paths of a tree with changes that are told. */
const mostDirty = 200;

/**
 * The branch of the repository around a workspace. Outside of one nothing is there, and whatever is asked of a remote
 * is refused.
 */
export function branch({
  workspace,
  specFiles = {},
}: {
  readonly workspace: string;
  readonly specFiles?: SpecFiles;
}): Branch {
  const find = repositoryFinder(workspace);
  const cwd = (): string => find()?.top ?? workspace;
  const local: Branch["local"] = async () => {
    const repository = find();
    if (repository === null) return { head: null, branch: null, dirty: [] };
    const status = await readStatus(repository.top);
    if ("end" in status) return { head: null, branch: null, dirty: [] };
    const own = new Set(Object.values(specFiles).map((file) => pathInside(file, repository)));
    const dirty = status.dirty.map(({ path }) => path).filter((path) => !own.has(path) && !runData.test(path));
    const name = await callGit(["symbolic-ref", "--quiet", "--short", "HEAD"], { cwd: repository.top });
    return {
      head: status.head,
      branch: name?.exitCode === 0 ? name.stdout.trimEnd() : null,
      dirty: dirty.slice(0, mostDirty),
    };
  };
  return {
    local,
    remote: (names, signal) => readRemote(names, cwd(), signal),
    ahead: (names, signal) => readAhead(names, cwd(), signal),
    push: (push, signal) => pushCommit(push, cwd(), signal),
    adopt: (names, signal) =>
      adoptCommit(names, { cwd: cwd(), isClean: async () => (await local()).dirty.length === 0 }, signal),
    async begin(name) {
      if ((await local()).branch === name) return { kind: "done" };
      const isName = (await callGit(["check-ref-format", "--branch", name], { cwd: cwd() }))?.exitCode === 0;
      if (!isName || isProtected(name)) {
        return {
          kind: "refused",
          reason: `no branch \`${name}\` can be made here`,
          hint: "Name another one with --branch",
        };
      }
      const end = await callGit(["switch", "--create", name], { cwd: cwd() });
      if (end?.exitCode === 0) return { kind: "done" };
      return { kind: "refused", reason: reasonOf(end), hint: `Check out \`${name}\` by hand, or name another branch` };
    },
  };
}
