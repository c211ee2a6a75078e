import { saidParagraphs } from "./said-paragraphs.ts";

const admission =
  /\bI (?:don't|do not) know how to\b|\bI(?:'m| am) not sure what(?:'s| is) causing\b|\bI(?:'ve| have) tried everything I can think of\b/i;

/** A piece of each phrase, wrapped or not: most messages hold none. */
const key = /know\s+how\s+to|not\s+sure\s+what|everything\s+I\s+can/i;

/**
 * The first phrase with which a message admits to be at a loss, in lower case and with straight apostrophes; null
 * without one. Phrases in quotes and code do not count; that one is denied is not understood.
 *
 * @param text
 *   The whole final message, untrusted.
 */
export function findAdmission(text: string): string | null {
  if (!key.test(text)) return null;
  for (const said of saidParagraphs(text)) {
    const [phrase] = admission.exec(said.replace(/[’ʼ]/g, "'")) ?? [];
    if (phrase !== undefined) return phrase.toLowerCase();
  }
  return null;
}
