const heading = /#{1,6}(?=[ \t\r\n]|$)/y;
const blockNames =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt" +
  "|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link" +
  "|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead" +
  "|title|tr|track|ul";
const attribute = "[ \\t]+[a-z_:][\\w.:-]*(?:[ \\t]*=[ \\t]*(?:[^ \\t\\r\\n\"'=<>`]+|'[^'\\r\\n]*'|\"[^\"\\r\\n]*\"))?";
const tag = `<(?:/[a-z][a-z\\d-]*[ \\t]*|[a-z][a-z\\d-]*(?:${attribute})*[ \\t]*/?)>`;
const blankLine = null;

/** The seven kinds of HTML blocks: what opens one, and what the line holds that closes it. */
const htmlKinds: readonly (readonly [opens: RegExp, closes: RegExp | null])[] = [
  [/<(?:script|pre|style|textarea)(?=[ \t\r\n>]|$)/iy, /<\/(?:script|pre|style|textarea)>/i],
  [/<!(?=--)/y, /-->/],
  [/<(?=\?)/y, /\?>/],
  [/<!\[CDATA\[/y, /\]\]>/],
  [/<![a-z]/iy, />/],
  [new RegExp(`</?(?:${blockNames})(?=[ \\t\\r\\n>]|/>|$)`, "iy"), blankLine],
  [new RegExp(`${tag}[ \\t]*(?=[\\r\\n]|$)`, "iy"), blankLine],
];

/** Level of the heading that starts at an offset, 0 when none does. */
export const headingAt = (text: string, at: number): number => lengthAt(heading, text, at);

/** Length of the fence that a line has at an offset, 0 when none stands there. */
export function fenceAt(text: string, at: number, to: number): number {
  const mark = text[at];
  if (mark !== "`" && mark !== "~") return 0;
  let end = at;
  while (end < to && text[end] === mark) end += 1;
  const isSpan = mark === "`" && text.slice(end, to).includes(mark);
  return end - at < 3 || isSpan ? 0 : end - at;
}

/** The start of an HTML block. */
export interface HtmlStart {
  /** Where its first line may close it. */
  readonly from: number;
  /** What closes it; null for a blank line. */
  readonly closes: RegExp | null;
}

/** The HTML block that starts at an offset. @param isComplete Whether it may be one that cannot end a paragraph. */
export function htmlAt(text: string, at: number, isComplete: boolean): HtmlStart | null {
  for (const [index, [opens, closes]] of htmlKinds.entries()) {
    const length = index < htmlKinds.length - 1 || isComplete ? lengthAt(opens, text, at) : 0;
    if (length > 0) return { from: at + length, closes };
  }
  return null;
}

/** Whether a line is, from an offset on, nothing but three or more of one mark, blanks aside. */
export function isRule(text: string, at: number, to: number): boolean {
  const mark = text.charCodeAt(at);
  let count = 0;
  for (let place = at; place < to; place += 1) {
    if (text.charCodeAt(place) === mark) count += 1;
    else if (!isBlank(text, place)) return false;
  }
  return count >= 3;
}

/** Length of the run of a mark that, with blanks behind it, ends a line; 0 when anything else stands there. */
export function runAt(text: string, at: number, to: number): number {
  const mark = text.charCodeAt(at);
  let end = at;
  while (end < to && text.charCodeAt(end) === mark) end += 1;
  let place = end;
  while (place < to && isBlank(text, place)) place += 1;
  return place === to ? end - at : 0;
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

const isBlank = (text: string, at: number): boolean => text[at] === " " || text[at] === "\t";
