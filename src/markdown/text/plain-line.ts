import { escapeSequence } from "../../model/text.ts";

// Joiners and the selectors of emoji stay: words and pictures are written with them.
const invisible =
  /\u034F|[\u180B-\u180F]|[\uFE00-\uFE0D]|[\u{E0000}-\u{E0FFF}]|[\u00AD\u061C\u115F\u1160\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const separators = /[\t\n\v\f\r\u001C-\u001F\u0085\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u001B\u007F-\u009F]/g;

/**
 * Untrusted text as one line without anything a terminal, a line-based tool or a reader would take for something
 * else: no escape sequences, controls, line separators, bidirectional or invisible marks, lone surrogates.
 *
 * @param max
 *   Code points that are kept.
 */
export function plainLine(text: string, max: number): string {
  const line = text
    .slice(0, max * 32)
    .replace(escapeSequence, "")
    .replace(/\p{Cs}/gu, "\uFFFD")
    .replace(invisible, "")
    .replace(separators, " ")
    .replace(controls, "")
    .replace(/ {2,}/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > max ? characters.slice(0, max).join("").trimEnd() : line;
}
