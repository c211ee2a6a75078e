import type { TaskId } from "../model/task.ts";
import type { Git } from "./git.ts";
import type { Shell } from "./shell.ts";
import type { Trees } from "./trees.ts";

/** Places apart from the workspace, in which members of a batch work without meeting each other. */
export interface Worktrees {
  /**
   * The place of a task: the one that it has in this start, or a free one, with the files as the workspace has them now.
   *
   * @param from Where a start before has left it: the content that it began with, and the one to go on with. Null for one
   *   that begins.
   * @throws {EnvironmentError} `worktree-refused`: one cannot be made or set up.
   */
  open(task: TaskId, from: WorktreeStart | null, signal: AbortSignal): Promise<Worktree>;
  /** Leave the place of a task to others. */
  close(task: TaskId): void;
}

/** Names of contents. */
export interface WorktreeStart {
  readonly base: string;
  readonly content: string;
}

/** A place of a task. */
export interface Worktree {
  /** Name of the content that it began with. */
  readonly base: string;
  /** What takes the place of the ports of the workspace there. */
  readonly ports: WorktreePorts;
  /** Its copy of the spec's folder, absolute; that folder itself where that lies outside of the workspace. */
  readonly copy: string;
  /** Take what was written into a log in that copy over into the spec. @param name Of the file. */
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
