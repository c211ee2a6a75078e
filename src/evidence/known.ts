import type { GuardCase } from "./guard.ts";
import type { TaskWords } from "./read-task.ts";
import type { Behind } from "./what-decides.ts";

/** A `GuardCase`, with facts derived from all its files. */
export interface Known extends GuardCase {
  readonly behind: Behind;
  /** Files that stop make from running a target, according to the current makefiles. */
  readonly idle: ReadonlySet<string>;
  readonly words: TaskWords;
  readonly removed: readonly string[];
  /** Earlier text of files with a red check. */
  readonly redTexts: readonly (readonly [string, string])[];
}

/** Findings about one file. */
export interface Found {
  readonly harms: readonly string[];
  readonly shown: readonly string[];
}
export const harm = (...harms: readonly string[]): Found => ({ harms, shown: [] });
export const show = (...shown: readonly string[]): Found => ({ harms: [], shown });

/** Whether a text of a test contains one of the names as a word. */
export const uses = (texts: Known["redTexts"], names: readonly string[]): boolean =>
  texts.some(([, text]) => names.some((name) => wordsIn(text).has(name)));

export const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(/\w+/g));
