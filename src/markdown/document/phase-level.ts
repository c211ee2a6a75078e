import type { FoundHeading } from "../tasks/read-blocks.ts";

// What stands before the word, as an emoji or a mark of emphasis, is no part of the name.
const named = /^[^\p{L}\p{N}]*phase[ \t]+(?:\d|[A-Z]\b)/iu;
const numbered = /^[^\p{L}\p{N}]*\d+[.):](?!\d)/u;

/**
 * The level of the headings that begin a phase; null when none does.
 *
 * Those are the ones that name themselves `Phase 1`, or where there is none the numbered ones, `1. Setup`. Of several
 * levels the highest counts on which there are two, so that neither the title of the plan nor the parts of a phase do.
 *
 * @param headings
 *   All of a document, in order.
 */
export function phaseLevel(headings: readonly FoundHeading[]): number | null {
  return levelOf(headings, named) ?? levelOf(headings, numbered);
}

function levelOf(headings: readonly FoundHeading[], name: RegExp): number | null {
  const levels = headings.filter(({ title }) => name.test(title)).map(({ level }) => level);
  const repeated = levels.filter((level, index) => levels.indexOf(level) !== index);
  return repeated.length > 0 ? Math.min(...repeated) : (levels[0] ?? null);
}
