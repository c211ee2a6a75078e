import type { FailedCheck } from "../model/failed-check.ts";

/** A failed check as a reader finds it; its texts are cut, cleaned and put on one line later. */
export type Finding = Omit<FailedCheck, "tool">;

/**
 * How much a reader's word counts beside that of others: `report` is a format made for programs, which says it all
 * again what a test runner prints for people; `tests` and `findings` (of compilers and linters) add up; `wrapper` only
 * says that something it has started failed, and counts when nobody else says anything.
 */
type ReaderKind = "report" | "tests" | "findings" | "wrapper";

/** What a reader has made of a whole output. */
export interface Reading {
  readonly findings: readonly Finding[];
  /** How many failed, where the tool counts them itself; the number of findings when not given. */
  readonly failed?: number | undefined;
  /** How many checks were run, where the tool says so. */
  readonly ran?: number | undefined;
}

/**
 * A text for programs that an output holds, whole whatever its lines are: JSON that begins with a key that is known, or
 * XML of JUnit, which may be cut at its end.
 */
export type Report =
  | { readonly form: "json"; readonly value: unknown }
  | { readonly form: "xml"; readonly text: string };

/** Reads the output of one tool line by line. It is given every line of every output, and recognises its own. */
export interface LineReader {
  /** @param line Without line ending and escape sequences, at most 4096 characters. */
  readonly read: (line: string) => void;
  /** Each report of the output, of any tool, after its last line: see `collectReports`. */
  readonly report?: (report: Report) => void;
  /** Null when the output holds nothing of this tool, or nothing that failed. */
  readonly end: () => Reading | null;
}

/** A tool whose output can be read. */
export interface ToolReader {
  readonly tool: string;
  readonly kind: ReaderKind;
  /** A reader for one output. It keeps at most what `maxFindings` findings need, however long that is. */
  readonly open: () => LineReader;
}

/** Findings that are kept of one tool; more are only counted. */
export const maxFindings = 500;
