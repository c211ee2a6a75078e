import type { TaskId } from "../model/task.ts";
import type { Git } from "./git.ts";
import type { Shell } from "./shell.ts";
import type { Trees } from "./trees.ts";

/** Worktrees in which batch members work without disturbing each other. */
export interface Worktrees {
  /**
   * Open the worktree of a task: the one open in this start, else a new one with the current files of the workspace.
   *
   * @param from Where to resume, if an earlier start left a worktree for the task; null for a new task.
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
  /** Absolute path of its copy of the spec folder; the folder itself if it is outside of the workspace. */
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
