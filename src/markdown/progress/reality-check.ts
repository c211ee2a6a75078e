import { type Block, readTree } from "../blocks/read-tree.ts";
import { codeSpan } from "../text/encode-text.ts";
import {
  contentEnd,
  countEndings,
  dominantEnding,
  lineStart,
  linesWithEnds,
  outdent,
  splitLines,
  trimBlank,
} from "../text/line-ending.ts";
import { fenceLines, plainLine, withoutMachineWords } from "../text/plain-line.ts";
import { addToSection, behind, insertAt } from "./append-item.ts";
import { type ProgressLog, readProgress, type SectionPlace } from "./progress-section.ts";

/** The command that showed the failure before the work on a goal began. */
export interface RealityCheck {
  readonly command: string;
}

const realityBefore = "Reality Check (BEFORE)";

/** `**Reproduction command**: …`, as an item or a line. */
const labelled = /^(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?[*_]{0,3}([A-Za-z][A-Za-z0-9 ()/-]{0,60})[*_]{0,3}:[*_]{0,3}(.*)$/;
const saysCommand = /\bcommands?\b/i;
const shells = new Set(["", "sh", "bash", "shell", "zsh", "console"]);
const openingFence = /^[ \t]*(`{3,}|~{3,})[ \t]*([^ \t`]*)/;

/** Maximum number of characters examined in a line. */
const longestLookedAt = 16 * 1024;

/**
 * Read the command of a reality check: the first code span or fence after a label that contains "command". If there is
 * no such label, the command is the first unlabelled fence with a single command.
 *
 * ```text ## Reality Check (BEFORE) **Reproduction command**: `npm test -- parser` **Exit code**: 1 ```
 *
 * @returns Null if the log has no such section, or the section has no command.
 */
export function readRealityCheck(progress: string): RealityCheck | null {
  const section = readProgress(progress).find(realityBefore);
  if (section === null) return null;
  const text = progress.slice(section.start, section.end);
  let label: Label | null = null;
  let only: string | null = null;
  for (const leaf of leavesOf(readTree(text))) {
    if (leaf.type === "code") {
      const code = fencedIn(text, leaf);
      if (label === "command" && code !== null) return { command: code };
      if (label === null) only ??= code === null ? null : oneCommand(code);
      label = null;
    } else {
      for (const line of splitLines(text.slice(leaf.start, leaf.end)).map(trimBlank)) {
        const read = readLine(line.slice(0, longestLookedAt), label);
        if (read.span !== null) return { command: read.span };
        label = read.label;
      }
    }
  }
  return only === null ? null : { command: only };
}

/** A label such as `**Command**:`; its value may be on the lines below. */
type Label = "command" | "other";

function readLine(line: string, above: Label | null): { readonly span: string | null; readonly label: Label | null } {
  const [, name, rest = ""] = labelled.exec(line) ?? [];
  if (name === undefined) {
    const span = above === "command" && line.startsWith("`") ? firstSpan(line) : null;
    return { span, label: above === "command" ? above : null };
  }
  if (saysCommand.test(name)) return { span: firstSpan(rest), label: "command" };
  return { span: null, label: trimBlank(rest) === "" ? "other" : null };
}

/** Paragraphs and code in a block; quotes are skipped. */
function leavesOf(block: Block): Block[] {
  if (block.type === "paragraph" || block.type === "code") return [block];
  return block.type === "blockquote" ? [] : block.children.flatMap(leavesOf);
}

function fencedIn(text: string, block: Block): string | null {
  const [first = "", ...lines] = splitLines(text.slice(block.start, block.end));
  const [, mark, language = ""] = openingFence.exec(first) ?? [];
  if (mark === undefined || block.isUnclosed || !shells.has(language.toLowerCase())) return null;
  const code = lines.slice(0, -1).map((line) => outdent(line, block.column - 1).replace(/^\$ /, ""));
  return code.every((line) => trimBlank(line) === "") ? null : trimBlank(code.join("\n"));
}

function oneCommand(code: string): string | null {
  const lines = splitLines(code).filter((line) => trimBlank(line) !== "" && !line.startsWith("#"));
  return lines.length === 1 ? (lines[0] as string) : null;
}

function firstSpan(line: string): string | null {
  const pieces = line.split(/(`+)/);
  for (let open = 1; open < pieces.length; open += 2) {
    const close = pieces.indexOf(pieces[open] as string, open + 1);
    if (close > 0) {
      const code = trimBlank(pieces.slice(open + 1, close).join(""));
      return code === "" ? null : code;
    }
  }
  return null;
}

export interface RealityAfter {
  readonly command: string;
  /** Null if a signal or a limit ended the command. */
  readonly exitCode: number | null;
  /** Last lines of the output, untrusted. */
  readonly output: string;
}

const heading = "Reality Check (AFTER)";
/** In code points. */
const longestCommand = 2000;
/** Maximum length of a line of output, in code points. */
const longestOutput = 300;
const mostLines = 20;

/**
 * Write the result of a reality check as `## Reality Check (AFTER)` after `## Reality Check (BEFORE)`. An earlier
 * result of fixpoint is replaced; a section with this heading by another author stays.
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

/** Remove the section with the result of one of these checks; a log without it is unchanged. */
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
  // `writeRealityAfter` inserts before the section if that section has an unclosed fence.
  if (own.start < before) return `${ahead}${behind.replace(/^(?:\r\n|\n|\r){1,2}/, "")}`;
  return `${ahead.replace(/(?:\r\n|\n|\r){1,2}$/, "")}${behind}`;
}

function linesOf({ command, exitCode, output }: RealityAfter): string[] {
  const shown = splitLines(output)
    .map((line) => withoutMachineWords(plainLine(line, longestOutput)))
    .filter((line) => line !== "")
    .slice(-mostLines);
  const kept = shown.length === 0 ? ["(no output)"] : shown;
  const ran = withoutMachineWords(plainLine(command, longestCommand));
  return [
    `**Command**: ${codeSpan(ran)}`,
    `**Exit code**: ${exitCode ?? "none"}`,
    `**Verdict**: ${exitCode === 0 ? "PASS" : "FAIL"}`,
    "",
    ...fenceLines(kept),
  ];
}

/** Whether a section contains an unclosed fence or comment, which would swallow text added after it. */
const isLeftOpen = ({ text, end }: ProgressLog, section: SectionPlace): boolean =>
  end < text.length && contentEnd(text, section.end, end) === section.end;

function ownLength(section: string): number | null {
  const lines = linesWithEnds(section);
  const labels = ["## Reality Check (AFTER)", "**Command**: ", "**Exit code**: ", "**Verdict**: "];
  if (!labels.every((label, index) => lines[index]?.startsWith(label))) return null;
  const fence = /^(`{3,})text\s*$/.exec(lines[5] ?? "")?.[1];
  const close = lines.findIndex((line) => trimBlank(line) === fence);
  if (close < 0) return null;
  return lines.slice(0, close).join("").length + (fence as string).length;
}
