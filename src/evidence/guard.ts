import type { TaskId } from "../model/task.ts";

/** One file between the tree before the first attempt of a task and the tree now. */
export interface FileChange {
  /** Workspace-relative, with `/`. */
  readonly path: string;
  /** Text before; null if the file was not there. */
  readonly before: string | null;
  /** Text now; null if the file is not there. */
  readonly after: string | null;
  /** Whether a text could not be read: it is too large, a link, or not permitted. */
  readonly unread?: true;
}

/** Counts of one run of a command; null where the tool gives none. */
export interface Counted {
  /** Checks that ran, skipped ones not among them. */
  readonly ran: number | null;
  readonly skipped: number | null;
  /** Names of checks that passed. */
  readonly passed: readonly string[] | null;
}

/** All that tells whether an attempt changed what it is judged by. */
export interface GuardCase {
  /** The Verify command. */
  readonly command: string;
  /** What all attempts and fixes of the root task changed, without the folder of the spec and `.fixpoint`. */
  readonly changes: readonly FileChange[];
  /** Text of a file of the tree before, changed or not; null if it was not there. */
  readonly read: (path: string) => string | null;
  /** Title and fields of the root task, without what fixpoint wrote. */
  readonly task: string;
  /** Paths of its Files. */
  readonly files: readonly string[];
  /** Files that the attempts made: their own checks weigh nothing here. */
  readonly made?: readonly string[];
  /** Checks that were red at any time in this task; of a red run that names none, one with the name "". */
  readonly reds: readonly Red[];
  readonly runs?: { readonly before: Counted | null; readonly after: Counted | null };
}

export interface Red {
  readonly name: string;
  readonly file: string | null;
}

/** What became of what proves a task. */
export interface Harm {
  /** Empty if only counts tell it. */
  readonly path: string;
  /** As in "2 of 3 tests are gone". */
  readonly what: string;
  /** The task before it whose work is gone by it; not given where it is about what proves the task. */
  readonly undoes?: TaskId;
}

export interface Guarded {
  /** These reject the attempt. */
  readonly harms: readonly Harm[];
  /** These are told only. */
  readonly shown: readonly Harm[];
}
