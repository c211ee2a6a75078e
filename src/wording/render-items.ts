import { countOf } from "../model/text.ts";
import { escapeCode } from "./escape-text.ts";

export interface ItemGroup {
  readonly label: string | null;
  readonly items: readonly string[];
}

/**
 * List items to which a person is asked to agree. No part of an item can look like another item or be overlooked.
 *
 * A count is in the first and the last line. An item begins with two spaces, and its further lines begin with `│ `. `⏎`
 * is a line break, `⏎×80` are 80 line breaks, `·400` are 400 spaces. Characters that a terminal obeys, or that look
 * like other characters, are shown as an escape such as `\x1b` or `\u0430`.
 */
export const renderItems = (items: readonly string[]): string => renderGroups([{ label: null, items }]);

export function renderGroups(groups: readonly ItemGroup[]): string {
  const count = countOf(
    groups.reduce((sum, { items }) => sum + items.length, 0),
    "item",
    "items",
  );
  const lines = groups.flatMap(({ label, items }) => {
    const indent = label === null ? "  " : "    ";
    return [
      ...(label === null ? [] : [`  ${encode(label).replaceAll("\n", "")}:`]),
      ...items.map((item) => `${indent}${renderItem(item)}`),
    ];
  });
  return [`${count}:`, ...lines, `End of the list: ${count}.`].join("\n");
}

/**
 * Break those lines of lists that are wider than a terminal; each continuation begins with `│ `. Other text stays
 * unchanged.
 *
 * @param text Text that may contain lists from `renderItems`.
 */
export function fitItems(text: string, columns: number): string {
  let isInside = false;
  return text
    .split("\n")
    .flatMap((line) => {
      if (/^\d+ items?:$/.test(line)) isInside = true;
      else if (/^End of the list: \d+ items?\.$/.test(line)) isInside = false;
      else if (isInside) return breakLine(line, columns);
      return [line];
    })
    .join("\n");
}

/** Render one item that follows other text on its line. */
export const renderItem = (item: string): string => encode(item).replaceAll("\n", `\n${bar}`);

const bar = "│ ";

/** Minimum width of the text in a line: a narrower terminal breaks lines itself. */
const least = 8;

/** Maximum width of a character: a terminal may draw any character outside of ASCII two columns wide. */
function columnsOf(character: string): number {
  if (mark.test(character)) return 0;
  return character >= " " && character <= "~" ? 1 : 2;
}

function breakLine(line: string, columns: number): string[] {
  // The last column stays free: some terminals break a line that fills it.
  const room = Math.max(columns - 1, bar.length + 1 + least);
  const lines: string[] = [];
  let [current, width] = ["", 0];
  for (const character of line) {
    const own = columnsOf(character);
    if (own > 0 && width + own > room) {
      const space = character === " " ? current.length : current.lastIndexOf(" ");
      // A space at the end of a line would be invisible.
      const kept = current.slice(0, space > room / 2 ? space : undefined).trimEnd();
      lines.push(kept);
      current = `${bar}${current.slice(kept.length)}`;
      width = Array.from(current).reduce((sum, each) => sum + columnsOf(each), 0);
    }
    current += character;
    width += own;
  }
  return [...lines, current];
}

/**
 * Encode an item as lines. Each line but the last ends with `⏎`, or with a count of line breaks. The encoding is
 * reversible.
 */
function encode(item: string): string {
  const foreign = foreignIn(item);
  let text = "";
  // A digit after a count would look like a part of the count.
  let isCounted = false;
  let marks = maxMarks;
  for (const { 0: part, index } of item.matchAll(/\n+| +|[\s\S]/gu)) {
    const { length } = part;
    const next = item.charAt(index + length);
    if (part.startsWith("\n")) {
      isCounted = length > 1;
      text += `⏎${isCounted ? `×${length}` : ""}${next === "" ? "" : "\n"}`;
    } else if (part.startsWith(" ")) {
      isCounted = length > shownSpaces || next === "" || next === "\n";
      text += isCounted ? `·${length}` : part;
    } else {
      const isMark = mark.test(part);
      const isShown =
        !foreign.has(index) &&
        !(isCounted && digit.test(part)) &&
        !((part === "·" || part === "×") && digit.test(next)) &&
        !(part === "\\" && likeEscape.test(item.slice(index, index + longestEscape))) &&
        !unseen.test(part) &&
        !isTwin(part) &&
        (!isMark || marks < maxMarks);
      text += isShown ? part : escapeCode(part);
      isCounted = false;
      if (isMark) marks += 1;
      else marks = isShown && letter.test(part) ? 0 : maxMarks;
    }
  }
  return text;
}

/** Longest sequence of spaces that is shown as spaces; longer sequences are counted. */
const shownSpaces = 3;
/** Maximum number of combining marks on a letter. */
const maxMarks = 2;

const digit = /[0-9]/;
const letter = /\p{L}/u;
const mark = /\p{M}/u;
const likeEscape = /^\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]+\})/i;
const longestEscape = 16;

/**
 * Characters drawn as nothing, as a blank, or in a special way; letters used only in phonetics; the marks of this
 * encoding.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{DI}\u2800\u01c0-\u01c3\u0250-\u02af⏎\p{Script=Lisu}\p{Script=Cherokee}]/u;

/** Whether a character is a variant of ASCII in Unicode, such as a wide or a mathematical letter. */
function isTwin(character: string): boolean {
  if (character <= "~") return false;
  const plain = character.normalize("NFKC");
  return plain !== character && /^(?:[ -~]|[A-Za-z]+)$/.test(plain);
}

/** Scripts with letters that look like letters of another script. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Georgian}/u,
] as const;
/** Scripts that are written next to Latin without spaces. */
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

/** Letters that look like Latin letters. A word made only of them may be mistaken for a Latin word. */
const likeLatin = /^[асеорхуіјѕһԁԛԝӏԍАВЕЅІЈКМНОРСТХУԚԜаοανιρυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհցյ]+$/u;

/** Positions of letters whose script differs from the rest of their word, and of letters in words that look Latin. */
function foreignIn(item: string): ReadonlySet<number> {
  const places = new Set<number>();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  if (/^[\x00-\x7f]*$/.test(item)) return places;
  for (const { 0: word, index } of item.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    const letters = [...word.matchAll(/\p{L}/gu)].flatMap(({ 0: each, index: at }) =>
      eastAsian.test(each) ? [] : [{ each, at: index + at, script: scripts.findIndex((script) => script.test(each)) }],
    );
    const isLatin = letters.some(({ script }) => script === 0);
    const own = isLatin ? 0 : letters[0]?.script;
    const isLike = letters.length > 0 && likeLatin.test(letters.map(({ each }) => each).join(""));
    for (const { at, script } of letters) if (isLike || script !== own) places.add(at);
  }
  return places;
}
