import { spokenLines } from "./spoken-lines.ts";

const phrases = ["requires manual", "cannot be automated", "could not complete", "needs human", "manual intervention"];
const admission = new RegExp(
  String.raw`(\b(?:without|no|not) (?:(?:any|further|additional|more|longer) )?)?\b(${phrases.join("|")})`,
  "gi",
);

/** A word of each phrase: most messages hold none. */
const key = /manual|automated|complete|human/i;

const startsParagraph = /^(?:[-*+•#|]|\d{1,3}[.)])/;
/** Short quotations with their marks standing as they do around a quotation. */
const quotation = /(?<![^\s(])"[^"]{1,200}"(?!\w)|“[^“”]{1,200}”/g;

/**
 * The first phrase with which a message admits that the task was not done by it, in lower case; null without one.
 * Phrases in quotes and code do not count, nor those denied by a preceding "without", "no" or "not".
 */
export function findContradiction(text: string): string | null {
  if (!key.test(text)) return null;
  for (const paragraph of paragraphs(text)) {
    const said = withoutCode(paragraph).replace(quotation, " ").replace(/\s+/g, " ");
    for (const [, denied, phrase] of said.matchAll(admission)) {
      if (denied === undefined && phrase !== undefined) return phrase.toLowerCase();
    }
  }
  return null;
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
