// A sequence for a terminal, whole: what is left of one that is cut in two reads as words.
const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u001B\u009B](?:\][^\u0007\u001B\u009B]*(?:\u0007|\u001B\\|$)|[PX^_][^\u001B\u009B]*(?:\u001B\\|$)|\[?[0-9;:?<=>]*[ -/]*[@-~])/g;
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
