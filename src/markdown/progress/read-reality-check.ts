import type { Block } from "../blocks/block.ts";
import { readTree } from "../blocks/read-tree.ts";
import { splitLines, trimBlank } from "../text/line-ending.ts";
import { outdent } from "../text/outdent.ts";
import { readProgress } from "./progress-section.ts";

/** How the failure that a goal verification is about was seen before the work began. */
export interface RealityCheck {
  /** For a shell, as somebody wrote it. */
  readonly command: string;
}

/** The section in which it stands. */
export const realityBefore = "Reality Check (BEFORE)";

/** `**Reproduction command**: …`, as an item or a line. */
const labelled = /^(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?[*_]{0,3}([A-Za-z][A-Za-z0-9 ()/-]{0,60})[*_]{0,3}:[*_]{0,3}(.*)$/;
const saysCommand = /\bcommands?\b/i;
const shells = new Set(["", "sh", "bash", "shell", "zsh", "console"]);
const openingFence = /^[ \t]*(`{3,}|~{3,})[ \t]*([^ \t`]*)/;

/** Characters of a line that are looked at. */
const longestLine = 16 * 1024;

/**
 * Read the command of a reality check: the first code span or fence behind a label that says command, else the only
 * command in the first fence that no other label stands before.
 *
 * ```text
 * ## Reality Check (BEFORE)
 * **Reproduction command**: `npm test -- parser`
 * **Exit code**: 1
 * ```
 *
 * @returns Null when the log has no such section, or the section no command.
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
        const read = readLine(line.slice(0, longestLine), label);
        if (read.span !== null) return { command: read.span };
        label = read.label;
      }
    }
  }
  return only === null ? null : { command: only };
}

/** What the label says that nothing has followed yet. */
type Label = "command" | "other";

/** The command a line gives, and the label that what is below it stands behind. */
function readLine(line: string, above: Label | null): { readonly span: string | null; readonly label: Label | null } {
  const [, name, rest = ""] = labelled.exec(line) ?? [];
  if (name === undefined) {
    const span = above === "command" && line.startsWith("`") ? firstSpan(line) : null;
    return { span, label: above === "command" ? above : null };
  }
  if (saysCommand.test(name)) return { span: firstSpan(rest), label: "command" };
  return { span: null, label: trimBlank(rest) === "" ? "other" : null };
}

/** Paragraphs and code, without what somebody is quoted with. */
function leavesOf(block: Block): Block[] {
  if (block.type === "paragraph" || block.type === "code") return [block];
  return block.type === "blockquote" ? [] : block.children.flatMap(leavesOf);
}

/** What stands in a fence of shell commands; null in any other, in one that is never closed, and without any. */
function fencedIn(text: string, block: Block): string | null {
  const [first = "", ...lines] = splitLines(text.slice(block.start, block.end));
  const [, mark, language = ""] = openingFence.exec(first) ?? [];
  if (mark === undefined || block.isUnclosed || !shells.has(language.toLowerCase())) return null;
  const code = lines.slice(0, -1).map((line) => outdent(line, block.column - 1).replace(/^\$ /, ""));
  return code.every((line) => trimBlank(line) === "") ? null : trimBlank(code.join("\n"));
}

/** The command of a fence that holds one, comments aside. */
function oneCommand(code: string): string | null {
  const lines = splitLines(code).filter((line) => trimBlank(line) !== "" && !line.startsWith("#"));
  return lines.length === 1 ? (lines[0] as string) : null;
}

/** What stands in the first code span of a line; null when it has none. */
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
