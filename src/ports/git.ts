import type { GitEvidence, GitMark } from "../model/git-evidence.ts";
import type { TaskId } from "../model/task.ts";
import type { Shell } from "./shell.ts";

export interface Git {
  /** Abbreviated hash of HEAD; null outside of a repository and before the first commit. */
  head(): Promise<string | null>;
  /** Record the current state for `since`; null outside of a repository. */
  mark(): Promise<GitMark | null>;
  /**
   * Changes since a mark; null outside of a repository.
   *
   * @throws {GateError} `checkout-changed` if a commit would go to another checkout than at the beginning of the run,
   * `commits-lost` if the branch lost committed work since the mark, `git-programs-changed`
   */
  since(mark: GitMark): Promise<GitEvidence | null>;
  /**
   * Commit files of the spec, or all other changes except run data and files that were untracked or changed before the
   * run. Waits while a lock of git exists, and does not remove the lock.
   *
   * @param what Which files to commit; `spec` if not given. @param named Files to commit in any case, as paths relative
   * to the workspace. @param changed The only files to commit, as paths relative to the workspace; all files if not
   * given. @returns The abbreviated hash; null if there was nothing to commit. @throws {GateError} `checkout-changed`,
   * `git-programs-changed` @throws {EnvironmentError} `git-locked`, `git-refused`
   */
  commit(
    message: string,
    what?: "spec" | "work",
    named?: readonly string[],
    changed?: readonly string[],
  ): Promise<string | null>;
}

/**
 * Contents of the workspace: tracked and untracked files, without the spec's folder, `.fixpoint` and ignored files. A
 * nested repository counts by its `HEAD`. The executable bit belongs to the content, file times do not.
 */
export interface Trees {
  /**
   * Whether to name the content before and after every attempt, and not only around checks; false if not given. Costs a
   * few git calls in each attempt.
   */
  readonly keeps?: boolean;
  /**
   * Name the current content: 40 hex digits, equal for equal contents. Null if unknown: no git, more than 100 000
   * files, or an unreadable file or folder.
   */
  now(signal?: AbortSignal): Promise<string | null>;
  /** Compare two contents by name. Each changed path occurs once, sorted. Null if one of the contents is unknown. */
  changes(from: string, to: string): Promise<readonly TreeChange[] | null>;
  /**
   * Read files of a content by their paths relative to the workspace. The text of a link is its target. Null for a
   * missing file, and for a file whose text `changes` would omit.
   */
  read(tree: string, paths: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /**
   * Restore files to another content, one by one. Only files that still have the content of `from` are changed; links
   * are not followed. Files of the spec and ignored files stay.
   *
   * @param from Current content, as last named by `now`. @param paths Files, as paths relative to the workspace.
   * @returns Null if a content is unknown; nothing was changed then. @throws {EnvironmentError} `file-refused`; a
   * repeated call restores the remaining files.
   */
  restore(from: string, to: string, paths: readonly string[]): Promise<Restored | null>;
  /** Merge two contents with a common base. Null if a content is unknown, or if git cannot merge them. */
  merge(base: string, ours: string, theirs: string): Promise<MergedTrees | null>;
}

export interface MergedTrees {
  readonly tree: string;
  /** Conflicting paths, sorted. Their text in `tree` must not be used. */
  readonly conflicts: readonly string[];
}

/** Result of a restore, as paths relative to the workspace. */
export interface Restored {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Files that were not restored, with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

export interface TreeChange {
  /** Relative to the workspace. */
  readonly path: string;
  /** Text before the change; null if the file did not exist. */
  readonly before: string | null;
  /**
   * Text after the change; null if the file is gone. Equal to `before` if only the kind or mode of the file changed.
   */
  readonly after: string | null;
  /**
   * Set if both texts are empty because a text is larger than 256 KiB or not UTF-8, or the path is a nested repository.
   * Of more than 500 changed files, only 500 have texts, and new files come last.
   */
  readonly unread?: true;
  /** Set if the file was executable and no longer is. */
  readonly isNoProgram?: true;
}

/** Worktrees in which tasks of a batch work without disturbing each other. */
export interface Worktrees {
  /**
   * Open the worktree of a task. If this start has no open worktree for the task, create a worktree with the current
   * files of the workspace.
   *
   * @param from Where to continue, if an earlier start left a worktree for the task; otherwise null. @throws
   * {EnvironmentError} `worktree-refused`: it cannot be created or set up.
   */
  open(task: TaskId, from: WorktreeStart | null, signal: AbortSignal): Promise<Worktree>;
  close(task: TaskId): void;
}

/** State of a worktree from an earlier start. */
export interface WorktreeStart {
  /** Hash of the files with which the worktree began. */
  readonly base: string;
  /** Hash of the files to continue with. */
  readonly content: string;
}

export interface Worktree {
  /** Hash of the files with which the worktree began. */
  readonly base: string;
  /** Ports to use in place of the ports of the workspace. */
  readonly ports: WorktreePorts;
  /**
   * Absolute path of the spec folder's copy in the worktree; the spec folder itself if it is outside of the workspace.
   */
  readonly copy: string;
  /** Merge a log from the copy into the spec. @param name File name. */
  readonly takeLog: (name: string) => void;
}

export interface WorktreePorts {
  /** Absolute path. */
  readonly workspace: string;
  readonly shell: Shell;
  readonly trees: Trees;
  readonly git?: Git;
  readonly fileState?: (declared: readonly string[]) => Promise<string | null>;
}
