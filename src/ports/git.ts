import type { GitEvidence, GitMark } from "../model/git-evidence.ts";
import type { TaskId } from "../model/task.ts";
import type { Shell } from "./shell.ts";

/** The repository around the workspace. */
export interface Git {
  /** Abbreviated hash of HEAD; null outside a repository or before the first commit. */
  head(): Promise<string | null>;
  /** Mark the current state; null outside a repository. */
  mark(): Promise<GitMark | null>;
  /**
   * Changes since a mark; null outside a repository.
   *
   * @throws {GateError} `checkout-changed` if a commit would go to another checkout than the run began in,
   *   `git-programs-changed`
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

/**
 * Contents of the workspace: tracked and untracked files, without the spec's folder, `.fixpoint` and ignored files. A
 * nested repository is represented by its HEAD. File times are ignored; the executable bit is not.
 */
export interface Trees {
  /**
   * Whether to name the content before and after every attempt, not only around checks (false by default). Costs a few
   * git calls per attempt.
   */
  readonly keeps?: boolean;
  /**
   * Name the current content by 40 hex digits; equal contents have equal names. Null if unknown: no git, more than
   * 100 000 files, or an unreadable file or folder.
   */
  now(signal?: AbortSignal): Promise<string | null>;
  /** Compare two trees named by `now`: each changed path once, sorted. Null if one of the trees is unknown. */
  changes(from: string, to: string): Promise<readonly TreeChange[] | null>;
  /**
   * Read files of a tree by their paths relative to the workspace. The text of a link is its target. Null if the file
   * is missing, or `changes` would omit its text.
   */
  read(tree: string, paths: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /**
   * Write and remove files one by one to restore a tree. Changes only files that still have the content of `from`, and
   * follows no links. The spec's own files and ignored files stay.
   *
   * @param from The latest name from `now`. @param paths Files, relative to the workspace.
   * @returns Null if a tree is unknown: nothing was changed.
   * @throws {EnvironmentError} `file-refused`; a repeated call restores the remaining files.
   */
  restore(from: string, to: string, paths: readonly string[]): Promise<Restored | null>;
  /** Three-way merge of two trees with a common base. Null if a tree is unknown, or git cannot merge them. */
  merge(base: string, ours: string, theirs: string): Promise<MergedTrees | null>;
}

/** Result of a three-way merge. */
export interface MergedTrees {
  readonly tree: string;
  /** Conflicting paths, sorted; their content in the tree must not be used. */
  readonly conflicts: readonly string[];
}

/** Result of a restore. Paths are relative to the workspace. */
export interface Restored {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Files left unchanged, each with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** A file that differs between two trees. */
export interface TreeChange {
  /** Relative to the workspace. */
  readonly path: string;
  /** The text before; null if the file did not exist. */
  readonly before: string | null;
  /** The text after; equal to `before` if only the kind or mode of the file changed. */
  readonly after: string | null;
  /**
   * Whether the texts are omitted (empty), because a text is larger than 256 KiB or not UTF-8, the path is a nested
   * repository, or 500 files come before it (new files come last).
   */
  readonly unread?: true;
  /** Whether the file was executable, and is not any more. */
  readonly isNoProgram?: true;
}

/** Worktrees in which batch members work without disturbing each other. */
export interface Worktrees {
  /**
   * Open the worktree of a task: the one open in this start, else a new one with the current files of the workspace.
   *
   * @param from State to resume from, if an earlier start left a worktree for the task; null for a new task.
   * @throws {EnvironmentError} `worktree-refused`: it cannot be created or set up.
   */
  open(task: TaskId, from: WorktreeStart | null, signal: AbortSignal): Promise<Worktree>;
  /** Release the worktree of a task. */
  close(task: TaskId): void;
}

/** Contents of a worktree that an earlier start left. */
export interface WorktreeStart {
  /** Name of its initial content. */
  readonly base: string;
  /** Name of the content to resume from. */
  readonly content: string;
}

/** The worktree of a task. */
export interface Worktree {
  /** Name of its initial content. */
  readonly base: string;
  /** Ports that replace those of the workspace. */
  readonly ports: WorktreePorts;
  /** Absolute path of the worktree's copy of the spec folder; the folder itself if it is outside of the workspace. */
  readonly copy: string;
  /** Merge a log of the copied spec folder into the spec. @param name File name. */
  readonly takeLog: (name: string) => void;
}

export interface WorktreePorts {
  /** Absolute folder. */
  readonly workspace: string;
  readonly shell: Shell;
  readonly trees: Trees;
  readonly git?: Git;
  readonly fileState?: (declared: readonly string[]) => Promise<string | null>;
}
