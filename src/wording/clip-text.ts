const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3001-\u303f\uff01-\uff60]/u;
const flat = /\p{M}/u;

export interface ClippedText {
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
