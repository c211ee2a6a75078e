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
  const characters = Array.from(text);
  const whole = characters.reduce((width, character) => width + widthOf(character), 0);
  if (whole <= columns) return { text, width: whole };
  let [kept, width] = ["", 1];
  for (const character of characters) {
    if (width + widthOf(character) > columns) break;
    kept += character;
    width += widthOf(character);
  }
  return columns < 1 ? { text: "", width: 0 } : { text: `${kept}…`, width };
}

function widthOf(character: string): number {
  if (flat.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
