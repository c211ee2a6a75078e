import type { GitMark } from "../model/git-evidence.ts";
import type { Git } from "../ports/git.ts";
import { callGit, gitRefused, type Programs, reasonOf } from "./git/call-git.ts";
import { commitFiles, commitWork } from "./git/commit-files.ts";
import { hashFiles, realFolder, repositoryFinder, type SpecFiles } from "./git/find-repository.ts";
import { gatherEvidence } from "./git/gather-evidence.ts";
import { isHash, readHead } from "./git/read-head.ts";
import { nothingUntracked, readWholeStatus, type Untracked } from "./git/read-status.ts";
import { findCommand } from "./processes/shell-command.ts";

export interface GitOptions {
  /** Absolute folder; paths are relative to it. */
  readonly workspace: string;
  /** Files to mark and commit, by name (none by default). */
  readonly specFiles?: SpecFiles;
  /** Maximum time that a commit waits for a lock (10 s by default). */
  readonly lockTimeoutMs?: number;
  /** Called right before a commit. Throws if this coordinator has lost the lease of the spec. */
  readonly checkFence?: () => void;
  /** Programs of the repository that git may run (none by default). */
  readonly programs?: Programs;
  /** Paths that were untracked or changed before the run: they stay uncommitted. */
  readonly untracked?: () => Untracked;
  /** Rejects if a commit is not allowed now. @param attempt State before the attempt that is judged. */
  readonly check?: (attempt?: GitMark) => Promise<void>;
}

type Find = ReturnType<typeof repositoryFinder>;

const defaultLockTimeoutMs = 10_000;

/**
 * The repository around a workspace. Without a repository or git there is no HEAD. Of the programs that the repository
 * configures, git runs only those in `programs`. Nothing is pushed.
 */
export function git({
  workspace,
  specFiles = {},
  lockTimeoutMs = defaultLockTimeoutMs,
  checkFence = () => {},
  programs = {},
  untracked = () => nothingUntracked,
  check = async () => {},
}: GitOptions): Git {
  const find = repositoryFinder(workspace);
  const head = headOf(workspace, find);
  let isInstalled = false;
  return {
    head,
    async mark() {
      const at = Date.now();
      isInstalled ||= findCommand("git", workspace) !== null;
      const found = isInstalled ? await fullHead(workspace, find) : undefined;
      return found === undefined ? null : { head: found, at, files: hashFiles(specFiles) };
    },
    async since(mark) {
      await check(mark);
      return since(mark, { workspace, specFiles, programs, find });
    },
    async commit(message, what = "spec", named = [], changed) {
      checkFence();
      await check();
      const scope = { workspace, specFiles, lockTimeoutMs, programs, find };
      const isCommitted =
        what === "work"
          ? await commitWork(message, { ...scope, untracked: untracked(), named, changed })
          : await commitFiles(message, scope);
      return isCommitted ? head() : null;
    },
  };
}

/** Read the abbreviated hash of HEAD. Starts git only if HEAD has moved. */
function headOf(workspace: string, find: Find): Git["head"] {
  let last: { readonly hash: string; readonly abbreviated: string | null } | undefined;
  return async () => {
    const found = readHead(workspace, find);
    if (found.kind === "outside" || found.kind === "unborn") return null;
    if (found.kind === "unclear") return abbreviate("HEAD", workspace);
    if (found.hash !== last?.hash || last.abbreviated === null) {
      last = { hash: found.hash, abbreviated: await abbreviate(found.hash, workspace) };
    }
    return last.abbreviated;
  };
}

/** Ask git, because only git knows the shortest unique form of a hash. */
async function abbreviate(revision: string, workspace: string): Promise<string | null> {
  const end = await callGit(["rev-parse", "--verify", "--short", `${revision}^{commit}`], { cwd: workspace });
  return end?.exitCode === 0 ? end.stdout.trimEnd() : null;
}

/** Return the full hash of HEAD; null before the first commit, undefined outside a repository. */
async function fullHead(workspace: string, find: Find): Promise<string | null | undefined> {
  const found = readHead(workspace, find);
  if (found.kind === "commit") return found.hash;
  if (found.kind !== "unclear") return found.kind === "unborn" ? null : undefined;
  // Request the git folder as well: git prints that folder even if the repository has no commit.
  const end = await callGit(["rev-parse", "--git-dir", "HEAD"], { cwd: workspace });
  const lines = end?.stdout.trimEnd() ?? "";
  if (lines === "") return undefined;
  const last = lines.slice(lines.lastIndexOf("\n") + 1);
  return isHash(last) ? last : null;
}

async function since(
  mark: GitMark,
  {
    workspace,
    specFiles,
    programs,
    find,
  }: Required<Pick<GitOptions, "workspace" | "specFiles" | "programs">> & { readonly find: Find },
): ReturnType<Git["since"]> {
  const repository = find();
  if (repository === null) return null;
  const { top } = repository;
  const status = await readWholeStatus(top, programs);
  if (!("end" in status)) {
    return gatherEvidence({ repository, status, mark }, { workspace: realFolder(workspace), specFiles });
  }
  // Treat a repository that git rejects as missing.
  const accepted = await callGit(["rev-parse", "--git-dir"], { cwd: top });
  if (accepted?.exitCode !== 0) return null;
  throw gitRefused("read the state of files", top, reasonOf(status.end));
}
