import { escapeSequence } from "../model/escape-sequence.ts";

const blanks = /[\p{Cc}\s]+/gu;
/** What a prompt holds where a text is to be filled in. */
const placeholder = /^(?:\[[^[\]]*\]|<[^<>]*>)$/;

/**
 * What an agent wrote behind a label, on one line.
 *
 * @param text
 *   The rest of a line of `readLines`, untrusted.
 * @param max
 *   Code points that are kept.
 * @returns Null for a text without a letter or digit, and for a placeholder that was copied from a prompt.
 */
export function ownText(text: string, max: number): string | null {
  const line = text.replace(escapeSequence, "").replace(blanks, " ").trim();
  if (!/[\p{L}\p{N}]/u.test(line) || placeholder.test(line)) return null;
  return [...line.slice(0, 2 * max)].slice(0, max).join("").trimEnd();
}
