import type { CheckCounts } from "../model/check-run.ts";
import type { TaskId } from "../model/task.ts";
import type { Deciders } from "./find-deciders.ts";
import type { TaskWords } from "./read-task.ts";

/** A changed file, with its text before the first attempt of a task and its text now. */
export interface FileChange {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** Text before; null if the file did not exist. */
  readonly before: string | null;
  /** Text now; null if the file does not exist. */
  readonly after: string | null;
  /** Whether a text could not be read: too large, a link, or no permission. */
  readonly unread?: true;
  /** True if the file was executable, and is not executable now. */
  readonly isNoProgram?: true;
}

/** Facts for judging whether an attempt changed its own proof. */
export interface GuardCase {
  readonly command: string;
  /** Changes by all attempts and fixes of the root task, without the spec folder and `.fixpoint`. */
  readonly changes: readonly FileChange[];
  /** Text of a file before the first attempt, whether it was changed or not; null if it did not exist. */
  readonly read: (path: string) => string | null;
  /** Title and fields of the root task, without text that fixpoint added. */
  readonly task: string;
  readonly files: readonly string[];
  /** Files made by the attempts: checks in them are not guarded. */
  readonly made?: readonly string[];
  /** Checks that were ever red in this task; a red run that names no check counts as a check named "". */
  readonly reds: readonly Red[];
  readonly runs?: {
    readonly before: CheckCounts | null;
    readonly after: CheckCounts | null;
    /** The tools that named the red checks before the work, joined by `+`. */
    readonly tools?: string | null;
  };
}

export interface Red {
  readonly name: string;
  readonly file: string | null;
}

/** Damage to a task's proof. */
export interface Harm {
  /** Empty if only the counts of checks show the harm. */
  readonly path: string;
  /** Description, such as "2 of 3 tests are gone". */
  readonly what: string;
  /** The earlier task whose work was undone; missing if the task's own proof is damaged. */
  readonly undoes?: TaskId;
}

export interface Guarded {
  /** Changes for which the attempt is rejected. */
  readonly harms: readonly Harm[];
  /** Changes that are only reported. */
  readonly shown: readonly Harm[];
}

export interface Known extends GuardCase {
  readonly behind: Deciders;
  /** Files that stop make from running a target, according to the current makefiles. */
  readonly idle: ReadonlySet<string>;
  readonly words: TaskWords;
  readonly removed: readonly string[];
  /** Path and earlier text of each file with a red check, and of the helpers that it imports. */
  readonly redTexts: readonly (readonly [string, string])[];
}

export interface Found {
  readonly harms: readonly string[];
  readonly shown: readonly string[];
}
export const harm = (...harms: readonly string[]): Found => ({ harms, shown: [] });
export const show = (...shown: readonly string[]): Found => ({ harms: [], shown });

/** Whether a text of a test contains one of the names as a word. */
export const uses = (texts: Known["redTexts"], names: readonly string[]): boolean =>
  texts.some(([, text]) => names.some((name) => wordsIn(text).has(name)));

/** Texts of red checks, and of the files that decide how the command runs, before the work. */
export const checkTexts = ({ redTexts, behind, read }: Known): readonly string[] => [
  ...redTexts.map(([, text]) => text),
  ...behind.deciders.flatMap(({ path, part }) => (part === null ? (read(path) ?? []) : [])),
];

export const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(/\w+/g));
