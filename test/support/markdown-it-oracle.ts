import MarkdownIt from "markdown-it";

const parser = new MarkdownIt("commonmark");
parser.core.ruler.enableOnly(["normalize", "block"]);

export interface BoxedItem {
  /** Counted from 1. */
  readonly line: number;
  readonly done: boolean;
  readonly text: string;
  readonly depth: number;
  readonly lastLine: number;
}

export function boxedItems(markdown: string): BoxedItem[] {
  const lines = markdown.split(/\r\n|\n|\r/);
  const tokens = parser.parse(markdown, {});
  const items: BoxedItem[] = [];
  const open: boolean[] = [];
  let quotes = 0;
  tokens.forEach((token, index) => {
    if (token.type === "blockquote_open") quotes += 1;
    if (token.type === "blockquote_close") quotes -= 1;
    if (token.type === "list_item_close") open.pop();
    if (token.type !== "list_item_open") return;
    const inline = tokens[index + 1]?.type === "paragraph_open" ? tokens[index + 2] : undefined;
    const box = /^\[([ xX])\][ \t\n]+(?=\S)([^\n]*)/.exec(inline?.content ?? "");
    if (box !== null && quotes === 0) {
      let [, lastLine] = token.map ?? [0, 0];
      while ((lines[lastLine - 1] ?? "x").trim() === "") lastLine -= 1;
      const line = (inline?.map?.[0] ?? 0) + 1;
      const depth = open.filter(Boolean).length;
      items.push({ line, done: box[1] !== " ", text: box[2] ?? "", depth, lastLine });
    }
    open.push(box !== null);
  });
  return items;
}

export interface ReadHeading {
  /** Counted from 1. */
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

export function headingsElsewhere(markdown: string): ReadHeading[] {
  const tokens = parser.parse(markdown, {});
  return tokens.flatMap(({ type, level, map, tag }, index) =>
    type === "heading_open" && level === 0
      ? { line: (map?.[0] ?? 0) + 1, level: Number(tag.slice(1)), title: tokens[index + 1]?.content ?? "" }
      : [],
  );
}
