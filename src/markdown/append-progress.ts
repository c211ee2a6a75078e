import type { TaskId } from "../model/task-id.ts";
import { encodeText } from "./encode-text.ts";
import { countEndings, dominantEnding, splitLines, trimBlank } from "./line-ending.ts";
import { plainLine } from "./plain-line.ts";
import { type ProgressLog, readProgress } from "./progress-section.ts";

/** How the recovery of a task ended. */
export interface FixHistory {
  readonly task: TaskId;
  /** The fix tasks it took, in order. */
  readonly fixes: readonly TaskId[];
  readonly final: "PASS" | "FAIL (max limit)";
}

/** A task that passed. Title and commit are untrusted. */
export interface Completed {
  readonly task: TaskId;
  readonly title: string;
  /** Abbreviated hash; null when none is known. */
  readonly commit: string | null;
}

const longest = 200;

/**
 * Add the line of a recovered or given-up task to `## Fix Task History`, which is made before the first
 * `## Learnings` when it is missing. The same text when a line of that task stands there.
 */
export function appendFixHistory(progress: string, { task, fixes, final }: FixHistory): string {
  const count = `${fixes.length} ${fixes.length === 1 ? "fix" : "fixes"} attempted`;
  const line = `Task ${task}: ${count} (${fixes.join(", ")}) - Final: ${final}`;
  return append(progress, "Fix Task History", ["Learnings"], task, line);
}

/**
 * Add the line of a passed task to `## Completed Tasks`, which is made at the end, but before the sections that
 * follow it, when it is missing. The same text when a line of that task stands there.
 */
export function appendCompleted(progress: string, { task, title, commit }: Completed): string {
  const text = encodeText(plainLine(title, longest), `x ${task} `);
  const hash = commit === null ? "" : ` - ${encodeText(plainLine(commit, longest), "x - ")}`;
  const line = `[x] ${task} ${text}${hash}`.trimEnd();
  return append(progress, "Completed Tasks", ["Fix Task History", "Learnings"], task, line);
}

function append(progress: string, heading: string, before: readonly string[], task: TaskId, line: string): string {
  const log = readProgress(progress);
  const ending = dominantEnding(countEndings(progress));
  const section = log.find(heading);
  if (section === null) return insertSection(log, before, ending, heading, line);
  if (holdsLineOf(log.proseOf(section), task)) return progress;
  const { end, bullet } = section;
  const gap = section.endsWith === "other" ? ending.repeat(2) : ending;
  return insertAt(progress, end, `${gap}${margin(progress, end)}${bullet} ${line}${behind(progress, end, ending)}`);
}

function insertSection(
  { text, end, startOf }: ProgressLog,
  before: readonly string[],
  ending: string,
  heading: string,
  line: string,
): string {
  const next = startOf(before) ?? (end < text.length ? end : null);
  const at = next ?? text.length;
  const lines = splitLines(text.slice(Math.max(0, at - 200), at));
  const endsLine = at === 0 || lines.at(-1) === "";
  const endsBlank = at === 0 || (endsLine && trimBlank(lines.at(-2) as string) === "");
  const gap = `${endsLine ? "" : ending}${endsBlank ? "" : ending}`;
  const section = `## ${heading}${ending}${margin(text, at)}- ${line}${ending}`;
  return insertAt(text, at, `${gap}${section}${next === null ? "" : ending}`);
}

/** Indentation of an item, lest an indented line behind it, as of a heading, becomes a part of it. */
const margin = (text: string, at: number): string =>
  /^[ \t\r\n]*[\r\n] {2,3}[^ \t\r\n]/.test(`\n${text.slice(at, at + 500)}`) ? "   " : "";

/** A line ending where text follows that would otherwise run into the line. */
function behind(text: string, at: number, ending: string): string {
  const [, next = ""] = splitLines(text.slice(at, at + 500));
  return trimBlank(next) === "" || next.startsWith("#") ? "" : ending;
}

const insertAt = (text: string, at: number, inserted: string): string =>
  `${text.slice(0, at)}${inserted}${text.slice(at)}`;

function holdsLineOf(section: string, task: TaskId): boolean {
  if (!section.toLowerCase().includes(task.toLowerCase())) return false;
  const id = task.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const start = String.raw`^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*)?(?:Task[ \t]+)?`;
  const own = new RegExp(String.raw`${start}${id}(?![\w-]|\.\w)`, "i");
  return splitLines(section).some((line) => own.test(line));
}
