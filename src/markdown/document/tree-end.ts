import { closerOf } from "../blocks/read-tree.ts";
import { lineEnd, skipEnding, widthOf } from "../text/line-ending.ts";

const heading = /#{1,6}(?:[ \t\r\n]|$)/y;
const bracketItem = /[-*+][ \t]{1,4}\[/y;
const numberedTask = /(\d{1,9})[.)] {1,4}\[[ xX]\] +[^ \t\r\n]/y;
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const item = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])(?: {1,4}(?=[^ \t])| (?= +[^ \t]))/;
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const blockTag = new RegExp(
  "^</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl" +
    "|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main" +
    "|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title" +
    "|tr|track|ul)(?=[ \\t>]|/>|$)",
  "i",
);
/** A tag that `blockTag` does not name, alone on its line. Within a paragraph, the tag does not begin HTML. */
const loneTag =
  /^<(?:\/[a-z][a-z\d-]*[ \t]*|[a-z][a-z\d-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?)>[ \t]*$/i;
const blank = /^[ \t]*$/;
const never = /(?!)/;
const mayBeTask = /[-*+.)][ \t]+\[/;
/** A chunk without tasks may be cut between two blocks if the chunk is longer than this. */
export const usualLength = 2048;

/** Open block that the next line may belong to. */
interface Open {
  /** Pattern of a line that closes the open code or HTML at the root; null if none is open. */
  closer: RegExp | null;
  /** Indentation of lines that belong to the open list item at the root; 0 for none, or if unsure. */
  width: number;
  /** Indentation of the item whose text a less indented line may continue; 0 for none. */
  lazy: number;
  behindBlank: boolean;
  inParagraph: boolean;
  /** Whether the previous line is a quote, whose paragraph this line may continue. */
  behindQuote: boolean;
}

/**
 * Whether an unindented heading, or an unindented item with a box or bracket, starts at an offset. The line at the
 * offset begins a chunk unless the line continues an open block.
 */
export const beginsChunk = (text: string, at: number): boolean =>
  standsAt(heading, text, at) || standsAt(bracketItem, text, at);

/**
 * End of the chunk that starts at an offset. A chunk ends before a heading or an unindented task; a long chunk without
 * tasks also ends before a block of text. Lines before and after the end of a chunk do not affect each other, so
 * parsing the chunks separately gives the same result. If code or HTML may be unclosed, the chunk continues.
 */
export function treeEnd(text: string, from: number): number {
  const open: Open = {
    ...{ closer: null, width: 0, lazy: 0 },
    ...{ behindBlank: false, inParagraph: false, behindQuote: false },
  };
  let holdsTask = false;
  let isApart = false;
  for (let at = from; at < text.length; ) {
    const to = lineEnd(text, at);
    const line = text.slice(at, to);
    if (at > from && open.closer === null) {
      const isText = isApart && !holdsTask && open.width === 0 && at - from > usualLength && /^[^ \t\r\n]/.test(line);
      if (isText || beginsChunk(text, at) || beginsNumbered(text, at, open)) return at;
    }
    holdsTask ||= mayBeTask.test(line);
    isApart = open.closer === null && (blank.test(line) || rule.test(line));
    enterLine(open, line);
    at = to < text.length ? skipEnding(text, to) : to;
  }
  return text.length;
}

/** Whether a numbered task begins a chunk. A number other than 1 cannot begin a list within a paragraph. */
function beginsNumbered(text: string, at: number, { width, inParagraph }: Open): boolean {
  numberedTask.lastIndex = at;
  const number = numberedTask.exec(text)?.[1];
  return number !== undefined && (width > 0 || number === "1" || !inParagraph);
}

function enterLine(open: Open, line: string): void {
  if (open.closer !== null) {
    if (!open.closer.test(line)) return;
    open.closer = null;
    open.inParagraph = false;
    return;
  }
  if (blank.test(line)) {
    open.inParagraph = false;
    open.behindQuote = false;
    open.behindBlank = true;
    return;
  }
  const { behindBlank } = open;
  open.behindBlank = false;
  const indent = widthOf(line.slice(0, line.search(/[^ \t]|$/)));
  if (open.width > 0 && indent >= open.width) return;
  const before = Math.max(open.width, open.lazy);
  const [marker = "", number = "1"] = (rule.test(line) ? null : item.exec(line)) ?? [];
  const { inParagraph } = open;
  open.width = number === "1" || open.width > 0 || !inParagraph ? marker.length : 0;
  open.inParagraph = open.width === 0 && !rule.test(line) && !/^ {0,3}#{1,6}(?:[ \t]|$)/.test(line);
  // After a blank line only indented text belongs to the item.
  open.lazy = open.width > 0 || (behindBlank && indent < before) ? 0 : before;
  if (open.width === 0 && indent <= 3) open.closer = closerBehind(line, inParagraph, open.behindQuote);
  // If an item is still open, its end also closes the code or HTML.
  if (open.closer !== null && open.lazy > 0 && indent >= open.lazy) open.closer = never;
  open.behindQuote = line.startsWith(">", indent);
}

/**
 * Pattern of the closing line of the code or HTML that `line` begins; null if `line` begins neither. In unclear cases
 * the pattern matches nothing.
 */
function closerBehind(line: string, inParagraph: boolean, behindQuote: boolean): RegExp | null {
  const [, mark] = fence.exec(line) ?? [];
  if (mark !== undefined) return new RegExp(`^ {0,3}${mark[0]}{${mark.length},}[ \\t]*$`);
  const source = line.replace(/^ +/, "");
  const closer = closerOf(source);
  if (closer !== null) return closer.test(source.slice(2)) ? null : closer;
  if (blockTag.test(source)) return blank;
  if (!loneTag.test(source) || (inParagraph && !behindQuote)) return null;
  return behindQuote ? never : blank;
}

export function standsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
