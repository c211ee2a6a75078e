import type { GitEvidence, GitMark } from "../model/git-evidence.ts";

/** The repository around the workspace. */
export interface Git {
  /** Abbreviated hash of HEAD; null outside a repository or before the first commit. */
  head(): Promise<string | null>;
  /** Mark the current state; null outside a repository. */
  mark(): Promise<GitMark | null>;
  /**
   * Changes since a mark; null outside a repository.
   *
   * @throws {GateError} `checkout-changed` if commits would not go where the run began, `git-programs-changed`
   */
  since(mark: GitMark): Promise<GitEvidence | null>;
  /**
   * Commit only the spec's own files, or all other changes except run data and files that were untracked or changed
   * before the run. Waits for a lock of git, and never removes it.
   *
   * @param what Which files to commit (`spec` by default).
   * @param named Files and folders, relative to the workspace, to commit in any case.
   * @param changed Files and folders, relative to the workspace; nothing else is committed (all if not given).
   * @returns The abbreviated hash; null if there was nothing to commit.
   * @throws {GateError} `checkout-changed`, `git-programs-changed`
   * @throws {EnvironmentError} `git-locked`, `git-refused`
   */
  commit(
    message: string,
    what?: "spec" | "work",
    named?: readonly string[],
    changed?: readonly string[],
  ): Promise<string | null>;
}
