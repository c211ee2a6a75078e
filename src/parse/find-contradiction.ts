import { saidParagraphs } from "./said-paragraphs.ts";

const phrases = ["requires manual", "cannot be automated", "could not complete", "needs human", "manual intervention"];
const admission = new RegExp(
  String.raw`(\b(?:without|no|not) (?:(?:any|further|additional|more|longer) )?)?\b(${phrases.join("|")})`,
  "gi",
);

/** A word of each phrase that completion signals do not have: most messages hold none. */
const key = /manual|automated|could|human/i;

/**
 * The first phrase with which a message admits that the task was not done by it, in lower case; null without one.
 * Phrases in quotes and code do not count, nor those denied by a preceding "without", "no" or "not".
 */
export function findContradiction(text: string): string | null {
  if (!key.test(text)) return null;
  for (const said of saidParagraphs(text)) {
    for (const [, denied, phrase] of said.matchAll(admission)) {
      if (denied === undefined && phrase !== undefined) return phrase.toLowerCase();
    }
  }
  return null;
}
