import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { toMarkdown } from "mdast-util-to-markdown";
import { trimBlank } from "./line-ending.ts";
import { machineWordOffsets } from "./plain-line.ts";

const punctuation = /[!-/:-@[-`{-~]/;
const punctuationMarks = /[!-/:-@[-`{-~]/g;
const reference = /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});/;
const rounds = 24;
/** With more emphasis marks than this, all punctuation is escaped, since pairing the marks is slow. */
const manyMarks = 100;
/** Text without any character that has a meaning in markdown, as in most titles and errors. */
const harmless = /^(?!\d{1,9}[.)](?: |$))[\p{L}\p{N}](?:[\p{L}\p{N} ,;/.:'"()=+?%$#{}^-]*[\p{L}\p{N}.:;'")}])?$/u;
/** Harmless text after other text on its line: a mark at its start cannot begin a block. */
const harmlessBehind = /^[\p{L}\p{N},;/.:'"()=+?%$#{}^-](?:[\p{L}\p{N} ,;/.:'"()=+?%$#{}^-]*[\p{L}\p{N}.:;'")}])?$/u;
/** CommonMark allows `!` in an autolink; this parser does not. */
const address = /<([\w.!#$%&'*+/=?^`{|}~-]+)@[A-Za-z0-9][A-Za-z0-9.-]*>/g;
/** CommonMark allows `/` in a value without quotes; this parser does not. */
const tag = /<[A-Za-z][A-Za-z0-9-]*(?: [A-Za-z_:][\w.:-]*(?: ?= ?(?:[^ "'=<>`]+|'[^']*'|"[^"]*"))?)* ?\/?>/g;
const slashInValue = /= ?[^ "'=<>`]*\//;
/** Text that would form a thematic break together with the bullet of its item. */
const restOfRule = /^(?:--|\*\*)$/;

/**
 * Encode plain text as markdown that is read as exactly this text.
 *
 * Only characters that would be misread are escaped, so most messages and code spans stay unchanged. Words with a
 * meaning for line-based tools are always escaped.
 *
 * @param text One line, see `plainLine`. @param before Plain text before `text` on the same line. @param after Plain
 * text after `text`.
 */
export function encodeText(text: string, before: string, after = ""): string {
  const escaped = new Set(machineWordOffsets(text));
  for (const { index, 1: name } of text.matchAll(address)) if (name?.includes("!")) escaped.add(index);
  for (const { index, 0: found } of text.matchAll(tag)) if (slashInValue.test(found)) escaped.add(index);
  if (before === "" && restOfRule.test(text)) escaped.add(0);
  const plain = before === "" ? harmless : harmlessBehind;
  if (escaped.size === 0 && plain.test(text)) return text;
  const most = (text.match(/[*_]/g)?.length ?? 0) > manyMarks ? 0 : rounds;
  for (let round = 0; round < most; round += 1) {
    const misread = findMisread(text, escaped, before, after);
    if (misread.size === 0) return escapeAt(text, escaped);
    for (const offset of misread) escaped.add(offset);
  }
  return escapeAt(text, allPunctuation(text));
}

const escapeAt = (text: string, offsets: ReadonlySet<number>): string => {
  let result = "";
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    result += offsets.has(at) ? `\\${character}` : character;
  }
  return result;
};

const allPunctuation = (text: string): ReadonlySet<number> =>
  new Set(Array.from(text.matchAll(punctuationMarks), ({ index }) => index));

/** Find the offsets in `text` of characters that must be escaped. */
function findMisread(text: string, escaped: ReadonlySet<number>, before: string, after: string): ReadonlySet<number> {
  const body = escapeAt(text, escaped);
  const source = `${before}${body}${after}`;
  const end = before.length + body.length;
  const [paragraph, ...others] = fromMarkdown(source).children;
  if (paragraph?.type !== "paragraph" || others.length > 0) return markOf(text, escaped, before);
  const origin = originOf(text, escaped, before.length);
  const misread = new Set<number>();
  for (const node of paragraph.children) {
    const [from, to] = spanOf(node);
    if (to <= before.length || from >= end) continue;
    if (node.type === "text") {
      if (source.slice(from, to) !== node.value) noteEscapes(from, to);
    } else if (node.type !== "inlineCode" || to > end || holdsEscape(from, to)) {
      // A construct always begins with a punctuation mark.
      misread.add(origin.get(from) as number);
    }
  }
  return misread;

  /** Note backslashes and references of the original text that would be read as escapes. */
  function noteEscapes(from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const index = origin.get(at);
      if (index === undefined || escaped.has(index)) continue;
      const next = text.charAt(index + 1) || after.charAt(0);
      if (text[index] === "\\" && punctuation.test(next)) misread.add(index);
      if (text[index] === "&" && reference.test(source.slice(at))) misread.add(index);
    }
  }

  function holdsEscape(from: number, to: number): boolean {
    for (let at = from; at < to; at += 1) if (escaped.has(origin.get(at) ?? -1)) return true;
    return false;
  }
}

/**
 * Find the mark at the start of the text that makes the text a list, a heading or the like. If there is none, return
 * all punctuation marks.
 */
function markOf(text: string, escaped: ReadonlySet<number>, before: string): ReadonlySet<number> {
  const at = text.search(/[^\d]|$/);
  const isMark = before === "" && !escaped.has(at) && punctuation.test(text.charAt(at));
  return isMark ? new Set([at]) : allPunctuation(text);
}

/** Map offsets in the escaped source to offsets in the text. */
function originOf(text: string, escaped: ReadonlySet<number>, start: number): ReadonlyMap<number, number> {
  const origin = new Map<number, number>();
  let at = start;
  for (let index = 0; index < text.length; index += 1) {
    if (escaped.has(index)) at += 1;
    origin.set(at, index);
    at += 1;
  }
  return origin;
}

function spanOf(node: Nodes): readonly [from: number, to: number] {
  const { start, end } = node.position as NonNullable<Nodes["position"]>;
  return [start.offset as number, end.offset as number];
}

export function codeSpan(value: string): string {
  return /^[^`\s](?:[^`\r\n]*[^`\s])?$/.test(value)
    ? `\`${value}\``
    : trimBlank(toMarkdown({ type: "inlineCode", value }));
}
