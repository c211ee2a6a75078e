import type { LineReader } from "../reader.ts";

/** What a tool says of the checks of one output. */
export interface ToolChecks {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names of all that passed, and of all that were skipped; null where the tool does not name each of them. */
  readonly passedIds: readonly string[] | null;
  readonly skippedIds: readonly string[] | null;
}

/** Reads from the output of one tool how many checks it ran, whether any failed or not. */
export interface ChecksReader extends Omit<LineReader, "end"> {
  /** Null when the output holds no such number of this tool. */
  readonly end: () => ToolChecks | null;
}

/** A tool that tells how many checks it ran. */
export interface ChecksTool {
  /** The name that the reader of its failures has. */
  readonly tool: string;
  readonly kind: "report" | "tests";
  readonly open: () => ChecksReader;
}

/** Names that are kept of one output; of more none is told. */
export const mostNames = 2000;

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Adds up what is said of single checks, and what a tool counts itself, which weighs more. */
export interface Tally {
  readonly pass: (id: string) => void;
  readonly skip: (id: string) => void;
  /** @param id Where the tool names it: if another of that name passed, the names tell nothing. */
  readonly fail: (id?: string) => void;
  /** The counts of one run; those of several add up. */
  readonly count: (counts: Partial<Counts>) => void;
  readonly end: () => ToolChecks | null;
}

export function openTally(): Tally {
  const passed = openNames();
  const skipped = openNames();
  const lost = new Set<string>();
  let failed = 0;
  let counted: Counts | null = null;
  return {
    pass: passed.add,
    skip: skipped.add,
    fail: (id) => {
      failed += 1;
      if (id !== undefined && lost.size <= mostNames) lost.add(id);
    },
    count: (more) => {
      const before = counted ?? { passed: 0, failed: 0, skipped: 0 };
      counted = {
        passed: before.passed + (more.passed ?? 0),
        failed: before.failed + (more.failed ?? 0),
        skipped: before.skipped + (more.skipped ?? 0),
      };
    },
    end: () => {
      const named = { passed: passed.size(), failed, skipped: skipped.size() };
      const counts = counted ?? named;
      if (counted === null && named.passed + named.failed + named.skipped === 0) return null;
      const names = passed.all(counts.passed);
      const isClear = names?.every((id) => !lost.has(id)) === true;
      return { ...counts, passedIds: isClear ? names : null, skippedIds: skipped.all(counts.skipped) };
    },
  };
}

/** Names, of which the second of two that are alike has a number. */
function openNames() {
  const alike = new Map<string, number>();
  let size = 0;
  return {
    add: (id: string): void => {
      size += 1;
      if (size <= mostNames) alike.set(id, (alike.get(id) ?? 0) + 1);
    },
    size: () => size,
    /** Null where they are not as many as there are checks. */
    all: (wanted: number): string[] | null =>
      size !== wanted || size > mostNames
        ? null
        : [...alike].flatMap(([id, times]) =>
            Array.from({ length: times }, (_, at) => (at === 0 ? id : `${id} #${at + 1}`)),
          ),
  };
}

/** The number behind a match; none is zero. */
export const numberAt = (match: RegExpExecArray, at: number): number => Number(match[at] ?? 0);

/** Numbers before words: `3 failed, 2 passed`. */
export function numbersIn(text: string): (...words: readonly string[]) => number {
  const found = new Map<string, number>();
  for (const [, digits, word = ""] of text.matchAll(/(\d{1,9}) ([a-z]{1,20}(?: [a-z]{1,20}){0,2})/gi))
    found.set(word, Number(digits));
  return (...words) => words.reduce((sum, word) => sum + (found.get(word) ?? 0), 0);
}

/** Numbers behind names: `failures=1, skipped=2`, `Failures: 1, Skipped: 2`. */
export function valuesIn(text: string): (...names: readonly string[]) => number {
  const found = new Map<string, number>();
  for (const part of text.split(/, |[.)]$/)) {
    const at = part.search(/[:=]/);
    if (at !== -1) found.set(part.slice(0, at).trim(), Number(part.slice(at + 1)) || 0);
  }
  return (...names) => names.reduce((sum, name) => sum + (found.get(name) ?? 0), 0);
}

/** The titles above a check in a list that is indented by two more for each level. */
export interface Titles {
  /** A title that has others below it. @param depth 0 for the outermost. */
  readonly open: (depth: number, title: string) => void;
  /** The names from the outermost to a check at a depth; null where one is not known. */
  readonly at: (depth: number, name: string) => readonly string[] | null;
  readonly clear: () => void;
}

const deepest = 100;

export function openTitles(): Titles {
  let titles: string[] = [];
  return {
    open: (depth, title) => {
      if (depth <= titles.length && depth < deepest) titles = [...titles.slice(0, depth), title];
    },
    at: (depth, name) => (depth > titles.length ? null : [...titles.slice(0, depth), name]),
    clear: () => {
      titles = [];
    },
  };
}

/** How far a line is set in. */
export const indentOf = (line: string): number => Math.max(0, line.slice(0, 200).search(/\S/));

/** A name without the time that its check took: `(3 ms)`, `(3.14ms)`, ` 12ms`. */
export const withoutTime = (name: string): string =>
  name.replace(/ (?:\(\d[\d.]{0,15} ?m?s\)|\d[\d.]{0,15}m?s)$/, "").trim();
