// Controls, separators, lone surrogates and all invisible characters (bidi, zero width, tags), except the selectors
// that only choose how an emoji is drawn.
const unseen = /(?!\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;
const unseenInLines = /(?!\n|\t|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;
const sentinel = /^(?=[^\S\n\r\u2028\u2029]*ALL_TASKS_COMPLETE[^\S\n\r\u2028\u2029]*$)/gm;

/**
 * Make foreign text safe to print: characters that would move the cursor, change a colour or stay invisible are shown
 * as an escape such as `\x1b`. A line feed is escaped, too.
 */
export const escapeText = (text: string): string => text.replace(unseen, visible);

/**
 * Like `escapeText`, but keeps line feeds and tabs. Quotes a line that consists only of the completion word, so that
 * foreign text cannot claim a finished run.
 */
export const escapeLines = (text: string): string => text.replace(unseenInLines, visible).replace(sentinel, "> ");

function visible(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  return escapeCode(character);
}

/** Render a character as the escape of its code point: `\x1b`, `\u200b` or `\u{e0041}`. */
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
  readonly width: number;
}

export function clipText(text: string, columns: number): ClippedText {
  let [kept, keptWidth, width, isFull] = ["", 1, 0, false];
  // Stop at the cut, since titles may be of any length.
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
