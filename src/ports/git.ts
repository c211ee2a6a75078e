import type { GitEvidence, GitMark } from "../model/git-evidence.ts";

/** The repository around the workspace. */
export interface Git {
  /** The abbreviated hash of HEAD; null outside a repository or before the first commit. */
  head(): Promise<string | null>;
  /** Where it stands now; null outside a repository. */
  mark(): Promise<GitMark | null>;
  /**
   * What has become of it since; null outside a repository.
   *
   * @throws {GateError} `checkout-changed`, `git-programs-changed`: work would not be committed where the run began.
   */
  since(mark: GitMark): Promise<GitEvidence | null>;
  /**
   * Commit the spec's own files and nothing else, or all else that differs in the workspace but run data and what was
   * untracked or changed before the run. Waits for a lock, and never removes one.
   *
   * @param what The spec's files when not given.
   * @param named Files and folders, from the workspace, that are committed in any case.
   * @param changed Files and folders, from the workspace, outside of which no work is committed (anywhere when not given).
   * @returns The abbreviated hash; null when there was nothing to commit.
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
