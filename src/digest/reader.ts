import type { FailedCheck } from "../model/failure-set.ts";
import { escapeSequence } from "../model/text.ts";

/** A failed check from a reader; its texts are cut and cleaned later. */
export type Finding = Omit<FailedCheck, "tool">;

/**
 * How readings of several tools combine. `report` is machine-readable and repeats the output of a test runner. `tests`
 * and `findings` (of compilers and linters) add up. `wrapper` only reports that a started program failed, and is used
 * only if no other tool reports anything.
 */
type ReaderKind = "report" | "tests" | "findings" | "wrapper";

export interface Reading {
  readonly findings: readonly Finding[];
  /** The tool's own count of failures; absent if the number of findings is the count. */
  readonly failed?: number | undefined;
  readonly ran?: number | undefined;
  readonly skipped?: number | undefined;
}

export interface Counts {
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  /** Failures that are not checks, such as files that could not be loaded. */
  readonly broken?: number;
}

export interface Said extends Omit<Finding, "id" | "message"> {
  readonly message: string | null;
}

export interface SaidReader<Read = Said> {
  readonly read: (line: string) => void;
  readonly end: () => Read;
}

/**
 * Reads the output of one tool line by line. A reader gets every line of every output, and recognises those of its
 * tool.
 */
export interface LineReader {
  /** @param line Without line ending and escape sequences, at most 4096 characters. */
  readonly read?: (line: string) => void;
  /** Gets each JSON report, of any tool, after its last line: see `collectReports`. */
  readonly json?: (report: unknown) => void;
  /** Gets each report in the XML of JUnit, which may be cut at its end. */
  readonly xml?: (report: string) => void;
  readonly end: () => Reading | null;
}

export interface ToolReader {
  readonly tool: string;
  readonly kind: ReaderKind;
  /** Open a reader for one output. A reader keeps at most `maxFindings` findings, however long the output is. */
  readonly open: () => LineReader;
}

export const maxFindings = 500;

/** Patterns of the parts that vary between prints of the same compiler message, most specific first. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\b0x[\da-f]{1,16}\b/gi, "0x"],
  [/\/tmp\/[\w.-]{1,100}/g, "/tmp"],
  [/(\.[a-z]\w{0,9}):\d{1,9}(?::\d{1,9})?(?:: \d{1,9}:\d{1,9})?/gi, "$1"],
  [/\b(lines?|columns?) \d{1,9}/gi, "$1"],
];

/** Maximum number of characters of a message that are used for its id. */
const looked = 1000;

/** A message without positions, addresses and names of temporary files, which change with unrelated edits. */
export const steadyText = (message: string): string =>
  varying.reduce((text, [sign, name]) => text.replace(sign, name), message.slice(0, looked)).trim();

/** First line that is not blank, without escape sequences. */
export function firstLine(text: string): string {
  const start = text.slice(0, 4000).replace(escapeSequence, "");
  return (
    start
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? ""
  );
}

/** A message without standalone numbers, which change from run to run. */
const withoutCounts = (message: string): string => message.replace(/(?<![\w.'"`-])\d+(?![\w'"`-])/g, "<n>");

export type ToolCounts = Pick<Reading, "failed" | "ran" | "skipped">;

interface NamedFailure extends Said {
  readonly id: string;
}

export interface FindingList {
  /** Add a finding, unless its id was added before: a tool may print it with details and again in a summary. */
  readonly add: (finding: NamedFailure) => void;
  /** Add a finding even if its id exists, such as an error at two lines of a file. The id then gets a number. */
  readonly addEach: (finding: NamedFailure) => void;
  readonly size: () => number;
  /** Add the tool's counts of one run; counts of several runs add up. */
  readonly count: (counts: Counts) => void;
  /**
   * Null if there is neither a finding nor a count.
   *
   * @param counts Counts that replace those of `count`.
   */
  readonly end: (counts?: ToolCounts) => Reading | null;
}

export function listFindings(): FindingList {
  const found = new Map<string, Finding>();
  const alike = new Map<string, number>();
  let seen = 0;
  let counted: { readonly failed: number; readonly ran: number; readonly skipped: number } | null = null;
  const add = ({ message, ...finding }: NamedFailure): void => {
    if (found.has(finding.id)) return;
    seen += 1;
    if (found.size < maxFindings) found.set(finding.id, { ...finding, message: message ?? "failed" });
  };
  return {
    add,
    addEach: (finding) => {
      const before = alike.get(finding.id) ?? 0;
      if (alike.size < maxFindings || before > 0) alike.set(finding.id, before + 1);
      add(before === 0 ? finding : { ...finding, id: `${finding.id} #${before + 1}` });
    },
    size: () => found.size,
    count: ({ passed = 0, failed = 0, skipped = 0, broken = 0 }) => {
      const before = counted ?? { failed: 0, ran: 0, skipped: 0 };
      counted = {
        failed: before.failed + failed + broken,
        ran: before.ran + passed + failed,
        skipped: before.skipped + skipped,
      };
    },
    end: ({ failed, ran, skipped }: ToolCounts = counted ?? {}) =>
      found.size === 0 && (failed ?? 0) === 0 && ran === undefined
        ? null
        : { findings: [...found.values()], failed: failed ?? seen, ran, skipped },
  };
}

export interface PlacedMessage {
  readonly file: string;
  readonly line: number | null;
  readonly column?: string | undefined;
  readonly code?: string | undefined;
  readonly message: string;
}

/**
 * Collect findings of compilers and linters, one per position. A compiler may repeat an error for each target, or list
 * all errors again at the end.
 */
export function listPlaces() {
  const findings = listFindings();
  const seen = new Set<string>();
  return {
    add: ({ file: path, line, column = "", code, message }: PlacedMessage): void => {
      const file = path.startsWith("./") ? path.slice(2) : path;
      const text = code === undefined ? message : `${code} ${message}`;
      const place = `${file}:${line}:${column} ${text}`;
      if (seen.has(place)) return;
      if (seen.size < 4 * maxFindings) seen.add(place);
      findings.addEach({ id: `${file}: ${steadyText(text)}`, file, line, message });
    },
    size: findings.size,
    end: findings.end,
  };
}

export interface LintProblem {
  readonly isError: boolean;
  readonly file: string;
  readonly line: number | null;
  readonly rule: string;
  readonly message: string;
}

/** Collect problems: only errors are failures, unless the linter failed because of warnings. */
export function listProblems() {
  const errors = listFindings();
  const warnings = listFindings();
  let count = 0;
  return {
    add: ({ isError, file, line, rule, message }: LintProblem): void => {
      if (isError) count += 1;
      // ESLint omits the full stop in its output for people.
      const said = withoutCounts(message.trim()).replace(/(?<!\.)\.$/, "");
      const id = `${file}: ${[rule, said].filter((part) => part !== "").join(" ")}`;
      (isError ? errors : warnings).addEach({ id, file, line, message: message.trim() });
    },
    /** @param isFailedByWarnings Whether warnings are failures if there is no error. */
    end: (isFailedByWarnings: boolean): Reading | null =>
      count > 0 || !isFailedByWarnings ? errors.end() : warnings.end(),
  };
}

/** Read the numbers before words: `3 failed, 2 passed`. */
export function numbersIn(text: string): (...words: readonly string[]) => number {
  const found = new Map<string, number>();
  for (const [, digits, word = ""] of text.matchAll(/(\d{1,9}) ([a-z]{1,20}(?: [a-z]{1,20}){0,2})/gi))
    found.set(word, Number(digits));
  return (...words) => words.reduce((sum, word) => sum + (found.get(word) ?? 0), 0);
}

/** Read the numbers after names: `failures=1, skipped=2`, `Failures: 1, Skipped: 2`. */
export function valuesIn(text: string): (...names: readonly string[]) => number {
  const found = new Map<string, number>();
  for (const part of text.split(/, |[.)]$/)) {
    const at = part.search(/[:=]/);
    if (at !== -1) found.set(part.slice(0, at).trim(), Number(part.slice(at + 1)) || 0);
  }
  return (...names) => names.reduce((sum, name) => sum + (found.get(name) ?? 0), 0);
}
