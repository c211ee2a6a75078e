import { escapeSequence } from "../model/text.ts";

/**
 * A line of an agent's message. `spoken`: the agent's own words; `fenced` and `quoted`: text that it shows. Fence marks
 * do not count as lines.
 */
export interface MessageLine {
  readonly kind: "spoken" | "fenced" | "quoted";
  readonly text: string;
}

/** In UTF-16 code units. Longer lines are cut. */
const maxLine = 16 * 1024;

const fenceMark = /^[ \t]*(`{3,}|~{3,})(.*)$/s;

/**
 * Split a message into what the agent says and what it shows. An unclosed fence ends with the message, and consecutive
 * empty lines become one. A line longer than `maxLine` is cut, and `…` marks the cut.
 *
 * @param text Markdown of an agent, with any line endings.
 */
export function readLines(text: string): MessageLine[] {
  const lines: MessageLine[] = [];
  eachLine(text, (line) => lines.push(line));
  return lines;
}

/**
 * Like `readLines`, without storing lines: an output may have millions of them.
 *
 * @param mark Called at each fence mark.
 */
export function eachLine(text: string, see: (line: MessageLine) => void, mark: () => void = () => {}): void {
  let fence: string | null = null;
  let isEmpty = false;
  eachPiece(text, (whole) => {
    if (isEmpty && whole === "") return;
    isEmpty = whole === "";
    const line = whole.length > maxLine ? `${whole.slice(0, maxLine)}…` : whole;
    const [, ticks = "", rest = ""] = (mayBeMark(line[0]) && fenceMark.exec(line)) || [];
    if (fence !== null) {
      if (ticks.startsWith(fence) && rest.trim() === "") {
        fence = null;
        mark();
      } else see({ kind: "fenced", text: line });
    } else if (ticks !== "" && !(ticks.startsWith("`") && rest.includes("`"))) {
      fence = ticks;
      mark();
    } else {
      see({ kind: line.trimStart().startsWith(">") ? "quoted" : "spoken", text: line });
    }
  });
}

/** Only lines with one of these first characters can be a fence mark. */
const mayBeMark = (first: string | undefined): boolean =>
  first === "`" || first === "~" || first === " " || first === "\t";

/** Split a text at any line endings, without storing the lines. */
function eachPiece(text: string, see: (line: string) => void): void {
  let start = 0;
  let feed = text.indexOf("\n");
  let back = text.indexOf("\r");
  while (feed !== -1 || back !== -1) {
    const end = feed === -1 || (back !== -1 && back < feed) ? back : feed;
    see(text.slice(start, end));
    start = end === back && feed === back + 1 ? end + 2 : end + 1;
    if (feed !== -1 && feed < start) feed = text.indexOf("\n", start);
    if (back !== -1 && back < start) back = text.indexOf("\r", start);
  }
  see(text.slice(start));
}

/** Lines in the agent's own words: outside of fences and quotes. */
export function spokenLines(text: string): string[] {
  const lines: string[] = [];
  eachLine(text, ({ kind, text: line }) => {
    if (kind === "spoken") lines.push(line);
  });
  return lines;
}

/** The only line of a fence that ends a message; null without such a fence. */
export function lastFenced(text: string): string | null {
  let shown: string[] = [];
  let isFenced = false;
  eachLine(
    text,
    ({ kind, text: line }) => {
      if (line.trim() === "") return;
      if (kind !== "fenced") shown = [];
      else if (shown.length < 2) shown.push(line);
    },
    () => {
      isFenced = !isFenced;
      if (isFenced) shown = [];
    },
  );
  return shown.length === 1 ? (shown[0] as string) : null;
}

const startsParagraph = /^(?:[-*+•#|]|\d{1,3}[.)])/;
/** Quotations of at most 200 characters. Straight quotation marks count only at the edges of words. */
const quotation = /(?<![^\s(])"[^"]{1,200}"(?!\w)|“[^“”]{1,200}”/g;

/**
 * Paragraphs of a message in the agent's own words, one line each, without fences, code and quotations.
 *
 * @param text The whole final message, untrusted.
 */
export function saidParagraphs(text: string): string[] {
  return paragraphs(text).map((paragraph) => withoutCode(paragraph).replace(quotation, " ").replace(/\s+/g, " "));
}

/** Lines of a paragraph are joined, since a phrase may continue on the next line. */
function paragraphs(text: string): string[] {
  const found: string[][] = [[]];
  for (const line of spokenLines(text).map((spoken) => spoken.trim())) {
    if (line === "") found.push([]);
    else if (startsParagraph.test(line)) found.push([line]);
    else found.at(-1)?.push(line);
  }
  return found.filter((lines) => lines.length > 0).map((lines) => lines.join(" "));
}

/**
 * Replace each code span by a blank. A span ends with as many backquotes as it begins with; other backquotes are text.
 */
function withoutCode(paragraph: string): string {
  const pieces = paragraph.split(/(`+)/);
  const nextOfLength = new Map<number, number>();
  const closing = new Map<number, number>();
  for (const [index, { length }] of [...pieces.entries()].reverse()) {
    if (index % 2 === 0) continue;
    const next = nextOfLength.get(length);
    if (next !== undefined) closing.set(index, next);
    nextOfLength.set(length, index);
  }
  const kept: string[] = [];
  let resume = 0;
  for (const [index, piece] of pieces.entries()) {
    if (index < resume) continue;
    const close = closing.get(index);
    kept.push(close === undefined ? piece : " ");
    if (close !== undefined) resume = close + 1;
  }
  return kept.join("");
}

const boldLabel = /^\*\*([^*:]{1,40})(?::\*\*|\*\*:)/;
const boldLine = /^\*\*([^*:]{1,40}:.*)\*\*$/s;

/** Remove bold around a label: `**Label:** text`, `**Label**: text` and `**Label: text**` become `Label: text`. */
export const unbold = (line: string): string => line.replace(boldLabel, "$1:").replace(boldLine, "$1");

const blanks = /[\p{Cc}\s]+/gu;
/** A placeholder from the prompt, such as `<part>`. */
const placeholder = /^(?:\[[^[\]]*\]|<[^<>]*>)$/;

/**
 * Return the text that an agent gives after a label, as one line.
 *
 * @param text The rest of a line of `readLines`, untrusted. @param max Maximum length in code points. @returns Null for
 * a text without letters and digits, and for a placeholder copied from the prompt.
 */
export function ownText(text: string, max: number): string | null {
  const line = text.replace(escapeSequence, "").replace(blanks, " ").trim();
  if (!/[\p{L}\p{N}]/u.test(line) || placeholder.test(line)) return null;
  return [...line.slice(0, 2 * max)].slice(0, max).join("").trimEnd();
}
