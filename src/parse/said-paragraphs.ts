import { spokenLines } from "./spoken-lines.ts";

const startsParagraph = /^(?:[-*+•#|]|\d{1,3}[.)])/;
/** Short quotations with their marks standing as they do around a quotation. */
const quotation = /(?<![^\s(])"[^"]{1,200}"(?!\w)|“[^“”]{1,200}”/g;

/**
 * What a message says in the agent's own words: its paragraphs, one line each, without fences, code and quotes.
 *
 * @param text
 *   The whole final message, untrusted.
 */
export function saidParagraphs(text: string): string[] {
  return paragraphs(text).map((paragraph) => withoutCode(paragraph).replace(quotation, " ").replace(/\s+/g, " "));
}

/** Lines that run on are joined, since a phrase may be wrapped. */
function paragraphs(text: string): string[] {
  const found: string[][] = [[]];
  for (const line of spokenLines(text).map((spoken) => spoken.trim())) {
    if (line === "") found.push([]);
    else if (startsParagraph.test(line)) found.push([line]);
    else found.at(-1)?.push(line);
  }
  return found.filter((lines) => lines.length > 0).map((lines) => lines.join(" "));
}

/** A code span ends at the next run of as many backticks as it began with; without one the backticks are text. */
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
