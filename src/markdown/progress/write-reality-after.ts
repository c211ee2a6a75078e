import { codeSpan } from "../insert/code-span.ts";
import { contentEnd, countEndings, dominantEnding, lineStart, splitLines, trimBlank } from "../text/line-ending.ts";
import { withoutMachineWords } from "../text/machine-words.ts";
import { plainLine } from "../text/plain-line.ts";
import { addToSection, behind, insertAt } from "./add-to-section.ts";
import { type ProgressLog, readProgress, type SectionPlace } from "./progress-section.ts";
import { realityBefore } from "./read-reality-check.ts";

/** What the command of a reality check says once the work is done. */
export interface RealityAfter {
  readonly command: string;
  /** Null when a signal or a limit ended it. */
  readonly exitCode: number | null;
  /** The end of what it printed, untrusted. */
  readonly output: string;
}

const heading = "Reality Check (AFTER)";
/** Code points kept of the command and of a line of output, and lines kept of that. */
const longestCommand = 2000;
const longestLine = 300;
const mostLines = 20;

/**
 * Write the result of a reality check as `## Reality Check (AFTER)` directly behind `## Reality Check (BEFORE)`, in
 * place of the one that was written before. Sections that others wrote stay.
 */
export function writeRealityAfter(progress: string, after: RealityAfter): string {
  const log = readProgress(progress);
  const ending = dominantEnding(countEndings(progress));
  const body = linesOf(after);
  const section = [`## ${heading}`, ...body].join(ending);
  const earlier = log
    .findAll(heading)
    .flatMap(({ start, end }) => {
      const length = ownLength(progress.slice(start, end));
      return length === null ? [] : [{ start, end: start + length }];
    })
    .at(0);
  if (earlier !== undefined) return `${progress.slice(0, earlier.start)}${section}${progress.slice(earlier.end)}`;
  const before = log.find(realityBefore);
  if (before === null) {
    const addition = { heading, before: ["Learnings"], bullet: null, endsWithItem: false, lines: body };
    return addToSection(log, null, addition);
  }
  const gap = ending.repeat(2);
  if (isLeftOpen(log, before)) return insertAt(progress, lineStart(progress, before.start), `${section}${gap}`);
  return insertAt(progress, before.end, `${gap}${section}${behind(progress, before.end, ending)}`);
}

/** A log without the section that was written of one of these checks; the same log when it has none. */
export function withoutRealityAfter(progress: string, checks: readonly Omit<RealityAfter, "output">[]): string {
  const log = readProgress(progress);
  const before = log.find(realityBefore)?.start ?? 0;
  const own = log.findAll(heading).find(({ start, end }) => {
    const [, command, exitCode] = splitLines(progress.slice(start, end));
    const isOf = (check: Omit<RealityAfter, "output">): boolean => {
      const [ran, ended] = linesOf({ ...check, output: "" });
      return command === ran && exitCode === ended;
    };
    return ownLength(progress.slice(start, end)) !== null && checks.some(isOf);
  });
  if (own === undefined) return progress;
  const [ahead, rest] = [progress.slice(0, own.start), progress.slice(own.start)];
  const behind = rest.slice(ownLength(progress.slice(own.start, own.end)) as number);
  // It stands ahead of a section that is left open.
  if (own.start < before) return `${ahead}${behind.replace(/^(?:\r\n|\n|\r){1,2}/, "")}`;
  return `${ahead.replace(/(?:\r\n|\n|\r){1,2}$/, "")}${behind}`;
}

function linesOf({ command, exitCode, output }: RealityAfter): string[] {
  const shown = splitLines(output)
    .map((line) => withoutMachineWords(plainLine(line, longestLine)))
    .filter((line) => line !== "")
    .slice(-mostLines);
  const kept = shown.length === 0 ? ["(no output)"] : shown;
  const longest = Math.max(2, ...kept.flatMap((line) => Array.from(line.matchAll(/`{3,}/g), ([run]) => run.length)));
  const fence = "`".repeat(longest + 1);
  const ran = withoutMachineWords(plainLine(command, longestCommand));
  return [
    `**Command**: ${codeSpan(ran)}`,
    `**Exit code**: ${exitCode ?? "none"}`,
    `**Verdict**: ${exitCode === 0 ? "PASS" : "FAIL"}`,
    "",
    `${fence}text`,
    ...kept,
    fence,
  ];
}

/** Whether a fence or a comment that is never closed begins in a section: what is added behind would be in it. */
const isLeftOpen = ({ text, end }: ProgressLog, section: SectionPlace): boolean =>
  end < text.length && contentEnd(text, section.end, end) === section.end;

/** How much of a section is what was written here; null when it is not. */
function ownLength(section: string): number | null {
  const lines = section.split(/(?<=\n|\r(?!\n))/);
  const labels = ["## Reality Check (AFTER)", "**Command**: ", "**Exit code**: ", "**Verdict**: "];
  if (!labels.every((label, index) => lines[index]?.startsWith(label))) return null;
  const fence = /^(`{3,})text\s*$/.exec(lines[5] ?? "")?.[1];
  const close = lines.findIndex((line) => trimBlank(line) === fence);
  if (close < 0) return null;
  return lines.slice(0, close).join("").length + (fence as string).length;
}
