// Controls, separators, lone surrogates and all that is drawn as nothing (bidi, zero width, tags), but for the
// selectors that only choose how an emoji is drawn.
const unseen = /(?!\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;
const unseenInLines = /(?!\n|\t|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;
const sentinel = /^(?=[^\S\n\r\u2028\u2029]*ALL_TASKS_COMPLETE[^\S\n\r\u2028\u2029]*$)/gm;

/**
 * Make foreign text safe to print: what would move a cursor, change a colour or hide is shown as an escape such as
 * `\x1b`. One line in, one line out.
 */
export const escapeText = (text: string): string => text.replace(unseen, visible);

/**
 * The same for text of several lines, whose line feeds and tabs are kept. A line that only consists of the word
 * for a finished run is quoted, so that foreign text cannot say it.
 */
export const escapeLines = (text: string): string => text.replace(unseenInLines, visible).replace(sentinel, "> ");

function visible(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  return escapeCode(character);
}

/** A character as the escape of its code point: `\x1b`, `\u200b` or `\u{e0041}`. */
export function escapeCode(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, "0")}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3001-\u303f\uff01-\uff60]/u;
const flat = /\p{M}/u;

interface ClippedText {
  readonly text: string;
  /** Columns that it takes, as far as can be told without asking the terminal. */
  readonly width: number;
}

/** As much of one line as fits into `columns`, with an ellipsis where it was cut. */
export function clipText(text: string, columns: number): ClippedText {
  let [kept, keptWidth, width, isFull] = ["", 1, 0, false];
  // No further than it is shown: titles may be of any length.
  for (const character of text) {
    const own = widthOf(character);
    width += own;
    if (width > columns) return columns < 1 ? { text: "", width: 0 } : { text: `${kept}…`, width: keptWidth };
    isFull ||= keptWidth + own > columns;
    if (isFull) continue;
    kept += character;
    keptWidth += own;
  }
  return { text, width };
}

function widthOf(character: string): number {
  if (flat.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
