const opening = /^---[ \t]*(?:\r\n|\n|\r)/;
const closing = /(?:\r\n|\n|\r)---[ \t]*(?:\r\n|\n|\r|$)/g;
const boxLine = /(?:^|[\r\n])[ \t]*[-*+][ \t]*\[[^\]\r\n]{0,3}\]/;
const headingParagraph = /(?:^|[\r\n])#{1,6} [^\r\n]*(?:\r\n|\n|\r){2}/;

/**
 * How much of a document stands before its markdown: a byte order mark and front matter between two lines `---`.
 *
 * A document that starts with a thematic break has no front matter, so what holds a box, or a heading with a blank
 * line behind it, is none.
 */
export function preambleLength(text: string): number {
  const start = bomLength(text);
  const markdown = text.slice(start);
  if (!opening.test(markdown)) return start;
  closing.lastIndex = 3;
  const end = closing.exec(markdown);
  if (end === null) return start;
  const content = markdown.slice(0, end.index);
  return boxLine.test(content) || headingParagraph.test(content) ? start : start + end.index + end[0].length;
}

/** Whether the beginning of a document could be a preamble, or become one when something behind it changes. */
export const mayHavePreamble = (text: string): boolean => text.startsWith("\uFEFF") || text.startsWith("---");

function bomLength(text: string): number {
  let length = 0;
  while (text.charCodeAt(length) === 0xfeff) length += 1;
  return length;
}
