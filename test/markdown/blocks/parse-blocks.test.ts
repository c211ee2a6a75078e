import { describe, expect, it } from "vitest";
import { type Block, holdsBox } from "../../../src/markdown/blocks/block.ts";
import { parseBlocks, parseWithTail } from "../../../src/markdown/blocks/parse-blocks.ts";
import { lenientBoxOf } from "../../../src/markdown/blocks/read-box.ts";

/** Types of blocks with their source. */
const sources = (text: string, { type, start, end, children }: Block): unknown =>
  children.length === 0
    ? `${type} ${text.slice(start, end)}`
    : { [type]: children.map((child) => sources(text, child)) };
const read = (text: string): unknown => sources(text, parseBlocks(text));
const unclosed = (text: string): unknown => parseBlocks(text).children.map(({ isUnclosed }) => isUnclosed);

const calm = { open: null, itemWidth: 0, inParagraph: false };
const takesIn = (start: number, endsAtBlank: boolean) => ({ ...calm, open: { start, endsAtBlank } });

describe("parseWithTail", () => {
  it.each([
    ["nothing", "", calm],
    ["a paragraph", "a", { ...calm, inParagraph: true }],
    ["a heading", "# a", calm],
    ["an item", "- a", { ...calm, itemWidth: 2 }],
    ["an empty item, which blanks would have to begin", "10.", { ...calm, itemWidth: 4 }],
    ["a quote", "> a", calm],
    ["a fence", "a\n\n```\nb", takesIn(3, false)],
    ["a fence that is closed", "```\n```", calm],
    ["a fence in an item", "- ```", { ...calm, itemWidth: 2 }],
    ["HTML up to a blank line", "<div>", takesIn(0, true)],
    ["HTML up to its end", "<!-- a", takesIn(0, false)],
    ["HTML in an item", "- <div>", { ...calm, itemWidth: 2 }],
    ["indented code", "    a", calm],
  ])("tells what a line behind it falls to: %s", (_, text, tail) => {
    expect(parseWithTail(text).tail).toEqual(tail);
  });

  it.each([
    ["", [0]],
    ["a", [0]],
    ["a\n", [0, 2]],
    ["a\r\n\nb", [0, 3, 4]],
  ])("tells where the lines of %j start, and where it ends", (text, starts) => {
    expect(parseWithTail(text)).toMatchObject({ starts, end: text.length });
  });

  it("asks of every line but the first whether the text ends before it", () => {
    const text = "a\n\n```\nb\n";
    const asked: unknown[] = [];
    const parsed = parseWithTail(text, (at, tail) => {
      asked.push([at, tail()]);
      return at === 7;
    });
    expect(asked).toEqual([
      [2, { ...calm, inParagraph: true }],
      [3, calm],
      [7, takesIn(3, false)],
    ]);
    expect(parsed).toMatchObject({ starts: [0, 2, 3, 7], end: 7, tail: takesIn(3, false) });
    expect(sources(text, parsed.root)).toEqual({ root: ["paragraph a", "code ```"] });
  });
});

describe("holdsBox", () => {
  it.each([
    ["a", false],
    ["- a", false],
    ["- [ ] a", true],
    ["- a\n- b\n  - [x] c", true],
    ["> - [ ] a", false],
  ])("finds a task that is not somebody else's: %j", (text, expected) => {
    expect(holdsBox(parseBlocks(text))).toBe(expected);
  });
});

describe("lenientBoxOf", () => {
  it.each([
    ["[-] 1.2 a", { offset: 1, titleStart: 3 }],
    ["[ ]* 1.2", { offset: 1, titleStart: 4 }],
    ["[x]1.2", { offset: 1, titleStart: 3 }],
    ["[x]a", null],
  ])("finds a box that GFM does not know: %s", (text, box) => {
    expect(lenientBoxOf(text, { start: 0 })).toEqual(box);
    expect(lenientBoxOf(`- ${text}`, { start: 2 })).toEqual(
      box && { offset: box.offset + 2, titleStart: box.titleStart + 2 },
    );
  });
});

describe("parseBlocks", () => {
  it("reads an empty text", () => {
    expect(parseBlocks("")).toMatchObject({ type: "root", start: 0, end: 0, children: [] });
  });

  it("lets only a 1 that is not empty end a paragraph", () => {
    expect(read("a\n2. b\n1.\n1. c")).toEqual({
      root: ["paragraph a\n2. b\n1.", { list: [{ listItem: ["paragraph c"] }] }],
    });
    expect(read("> a\n2. b")).toMatchObject({ root: [expect.anything(), { list: [{ listItem: ["paragraph b"] }] }] });
  });

  it("keeps lines of indented code, and blocks of an item that blank lines part, together", () => {
    expect(read("    a\n    b")).toEqual({ root: ["code     a\n    b"] });
    expect(read("- a\n\n  b\n")).toEqual({ root: [{ list: [{ listItem: ["paragraph a", "paragraph b"] }] }] });
  });

  it("begins an item with one blank line at most", () => {
    expect(read("-\n  a")).toEqual({ root: [{ list: [{ listItem: ["paragraph a"] }] }] });
    expect(read("-\n\n  a")).toEqual({ root: [{ list: ["listItem -"] }, "paragraph a"] });
    expect(read("-  \n  a")).toEqual({ root: [{ list: [{ listItem: ["paragraph a"] }] }] });
    expect(read("-\t\n  a")).toEqual({ root: [{ list: [{ listItem: ["paragraph a"] }] }] });
  });

  it("goes on with an item that has content behind any number of blank lines", () => {
    expect(read("- a\n\n\n\n  b")).toEqual({ root: [{ list: [{ listItem: ["paragraph a", "paragraph b"] }] }] });
    expect(read("- a\n  b\n\n  c")).toEqual({ root: [{ list: [{ listItem: ["paragraph a\n  b", "paragraph c"] }] }] });
  });

  it.each(["0. a", "9) a", "+ a", "> 0. a"])("begins an item with the marker of %j", (text) => {
    const list = { list: [{ listItem: ["paragraph a"] }] };
    expect(read(text)).toEqual({ root: [text.startsWith(">") ? { blockquote: [list] } : list] });
  });

  it("begins an item with a marker alone where a quote ends a paragraph", () => {
    expect(read("a\n>-")).toEqual({ root: ["paragraph a", { blockquote: [{ list: ["listItem -"] }] }] });
  });

  it("counts the columns of a tab behind the mark of a quote or an item", () => {
    expect(read("> \ta")).toEqual({ root: [{ blockquote: ["paragraph a"] }] });
    expect(read("- \ta\n\n  b")).toEqual({ root: [{ list: [{ listItem: ["paragraph a"] }] }, "paragraph b"] });
    expect(read("- \t  a")).toEqual({ root: [{ list: [{ listItem: ["code \t  a"] }] }] });
  });

  it.each(["- ---", "---\t", "*\t*\t*"])("takes %j for a rule", (text) => {
    expect(read(text)).toEqual({ root: [`thematicBreak ${text.trimEnd()}`] });
  });

  it("takes marks for no rule that have text behind them, or are pluses", () => {
    expect(read("***a")).toEqual({ root: ["paragraph ***a"] });
    expect(read("+ + +")).toEqual({
      root: [{ list: [{ listItem: [{ list: [{ listItem: [{ list: ["listItem +"] }] }] }] }] }],
    });
  });

  it("lets blanks stand behind an underline", () => {
    expect(read("a\n== ")).toEqual({ root: ["heading a\n=="] });
    expect(read("a\n-\t")).toEqual({ root: ["heading a\n-"] });
  });

  it("lets tildes stand behind a fence of tildes", () => {
    expect(read("~~~ a~")).toEqual({ root: ["code ~~~ a~"] });
  });

  it("finds no box in a heading of two lines", () => {
    const [list] = parseBlocks("- [ ]\n  a\n  ===").children;
    expect(list?.children).toMatchObject([{ box: null, children: [{ type: "heading" }] }]);
  });

  it("finds no box in code that an item begins with", () => {
    const [list] = parseBlocks("- ```\n  [ ] a\n  ```\n-     [ ] b\n- <div>\n").children;
    expect(list?.children.map(({ box }) => box ?? null)).toEqual([null, null, null]);
  });

  it("reads any number behind indented code", () => {
    expect(read("    a\n2. b")).toEqual({ root: ["code     a", { list: [{ listItem: ["paragraph b"] }] }] });
  });

  it("goes on with a paragraph where a line leaves its container", () => {
    expect(read("- a\n<b>\nb")).toEqual({ root: [{ list: [{ listItem: ["paragraph a\n<b>\nb"] }] }] });
    expect(read("- a\n===")).toEqual({ root: [{ list: [{ listItem: ["paragraph a\n==="] }] }] });
  });

  it("takes definitions off the paragraph that they begin", () => {
    const text = "[a]: b\n[c]: <d e>\n'f\ng' \nh";
    expect(read(text)).toEqual({ root: ["definition [a]: b", "definition [c]: <d e>\n'f\ng'", "paragraph h"] });
    expect(read("[a]: b\n[c]: d\n'e' f")).toEqual({
      root: ["definition [a]: b", "definition [c]: d", "paragraph 'e' f"],
    });
    expect(read("[a]: b\n===")).toEqual({ root: ["definition [a]: b", "paragraph ==="] });
    expect(read("[:]:\na\n[ ]: b")).toEqual({ root: ["definition [:]:\na", "paragraph [ ]: b"] });
  });

  it("finds a box behind definitions, where GFM does", () => {
    const [list] = parseBlocks("- [a]: b\n  [x] c\n- [d]: e\n  [-] f\n- [x]\n  g\n").children;
    expect(list?.children.map(({ box }) => box)).toEqual([
      { offset: 12, titleStart: 14 },
      null,
      { offset: 37, titleStart: 39 },
    ]);
  });

  it.each([
    ["a label without its end", "[a"],
    ["a label that ends in a backslash", "[a\\"],
    ["a bracket behind the destination", "[a]: b)"],
    ["a destination in brackets that ends in a backslash", "[a]: <b\\"],
    ["a title that ends in a backslash", "[a]: b 'c\\"],
    ["an empty label", "[ ]: a"],
    ["a bracket in the label", "[a[]: a"],
    ["a label of a thousand characters", `[${"a".repeat(1000)}]: a`],
    ["nothing behind the label", "[a]:"],
    ["no colon", "[a] b"],
    ["an unbalanced destination", "[a]: b(c"],
    ["a line ending in a destination", "[a]: <b\nc>"],
    ["a destination without its end", "[a]: <b"],
    ["text behind the destination", "[a]: b c"],
    ["a title without its end", "[a]: b 'c"],
    ["a title that touches the destination", "[a]: <b>'c'"],
    ["a tab as its label", "[\t]: a"],
    ["a line ending as its label", "[\n]: a"],
    ["a bracket behind a colon in the label", "[:["],
    ["a label without its end that begins with a colon", "[:a"],
    ["a label of five hundred brackets with a backslash each", `[${"\\]".repeat(500)}]: a`],
    ["nothing behind a label of two lines", "[\na]:"],
    ["an unbalanced destination behind a label of two lines", "[\na]: b(c"],
    ["a destination without its end behind a label of two lines", "[\na]: <b"],
    ["a bracket in a destination behind a label of two lines", "[\na]: <b<c>"],
    ["text behind a destination and a label of two lines", "[\na]: b c"],
    ["a title without its end behind a label of two lines", "[\na]: b 'c"],
    ["an unbalanced bracket in the destination", "[a]: b)(c"],
    ["a control character behind the destination", "[a]: b\u007F"],
  ])("reads no definition with %s", (_, text) => {
    expect(read(text)).toEqual({ root: [`paragraph ${text}`] });
  });

  it.each([
    "[\\]a\\\\]: b",
    "[a]: b\\",
    "[a]: b 'c\\\\'",
    "[a]: b 'c\\d'",
    "[a\nb]: c",
    "[a]: <b\\>>",
    "[a]: b\\(\\)",
    "[a]: b(c)d",
    '[a]: b "c\\""',
    "[a]:\nb\n(c\\))",
    `[${"a".repeat(999)}]: a`,
    "[a]: \0",
    "[a]:\tb\t'c'",
  ])("reads the definition %j", (text) => {
    expect(read(text)).toEqual({ root: [`definition ${text}`] });
  });

  it("tells fences and HTML blocks that nothing closes", () => {
    expect(unclosed("```\na\n  ```\n\n~~~\n    ~~~\n~~")).toEqual([false, true]);
    expect(unclosed("<!-->\n\n<?a\n?>\n\n<!a>\n\n<![CDATA[\n]]>\n\n<pre>\n\n</pre>\n<!--")).toEqual([
      ...[false, false, false, false, false, true],
    ]);
    expect(unclosed("<div>\na\n\n<b>\n")).toEqual([false, false]);
    expect(unclosed("a\n\n    b\n- c\n> d\n\n---\n# e\n[f]: g")).toEqual(Array.from({ length: 7 }, () => false));
  });

  it("takes what is nested deeper than a hundred containers for text", () => {
    let block: Block = parseBlocks(`${"> ".repeat(150)}a`);
    let depth = 0;
    for (; block.children[0] !== undefined; block = block.children[0]) depth += 1;
    expect(depth).toBe(101);
    expect(block).toMatchObject({ type: "paragraph", start: 200, end: 301 });
  });

  it("takes what stands five blanks behind a bullet for code", () => {
    expect(read("-     a\n-    b")).toEqual({
      root: [{ list: [{ listItem: ["code     a"] }, { listItem: ["paragraph b"] }] }],
    });
  });

  it("takes no time for many blank lines in a fence", () => {
    const text = `\`\`\`\n${"\n".repeat(100_000)}x\n\n`;
    const start = process.cpuUsage();
    expect(parseBlocks(text).children).toMatchObject([{ type: "code", start: 0, end: text.length - 2 }]);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000);
  });

  it("knows a tag with a slash in a value without quotes", () => {
    expect(parseBlocks("<x-y src=//x.invalid/a>\n").children).toMatchObject([{ type: "html" }]);
  });
});
