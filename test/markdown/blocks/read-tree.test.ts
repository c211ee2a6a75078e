import { describe, expect, it } from "vitest";
import { type Block, closerOf, holdsBox, lenientBoxOf, readTree } from "../../../src/markdown/blocks/read-tree.ts";

const sources = (text: string, { type, start, end, children }: Block): unknown =>
  children.length === 0
    ? `${type} ${text.slice(start, end)}`
    : { [type]: children.map((child) => sources(text, child)) };
const read = (text: string): unknown => sources(text, readTree(text));
const unclosed = (text: string): unknown => readTree(text).children.map(({ isUnclosed }) => isUnclosed);
const boxesIn = (text: string): unknown => readTree(text).children[0]?.children.map(({ box }) => box);

describe("holdsBox", () => {
  it.each([
    ["a", false],
    ["- a", false],
    ["- [ ] a", true],
    ["- a\n- b\n  - [x] c", true],
    ["> - [ ] a", false],
  ])("finds a task outside of quotes and code: %j", (text, expected) => {
    expect(holdsBox(readTree(text))).toBe(expected);
  });
});

describe("lenientBoxOf", () => {
  it.each([
    ["[-] 1.2 a", { offset: 1, titleStart: 3 }],
    ["[ ]* 1.2", { offset: 1, titleStart: 4 }],
    ["[x]1.2", { offset: 1, titleStart: 3 }],
    ["[x]a", null],
  ])("finds a box that GFM does not recognize: %s", (text, box) => {
    expect(lenientBoxOf(text, { start: 0 })).toEqual(box);
    expect(lenientBoxOf(`- ${text}`, { start: 2 })).toEqual(
      box && { offset: box.offset + 2, titleStart: box.titleStart + 2 },
    );
  });
});

describe("readTree", () => {
  it("reads an empty text", () => {
    expect(readTree("")).toMatchObject({ type: "root", start: 0, end: 0, children: [] });
  });

  it("distinguishes levels of headings, ordered lists and columns", () => {
    expect(readTree("a\n===\n\n  1. b\n- # c\n").children).toMatchObject([
      { type: "heading", level: 1, column: 1 },
      { type: "list", level: 0, ordered: true, column: 3 },
      { type: "list", ordered: false, children: [{ column: 1, children: [{ type: "heading", level: 1, column: 3 }] }] },
    ]);
  });

  it("ends blocks after their last non-blank character", () => {
    expect(read("# a \t\n\n- b\n\n  c  \n\n\n> d\n\n")).toEqual({
      root: ["heading # a", { list: [{ listItem: ["paragraph b", "paragraph c"] }] }, { blockquote: ["paragraph d"] }],
    });
  });

  it("ends an item with an open fence before the next item", () => {
    expect(read("- a\n\n  ```\n  b\n- c\n")).toEqual({
      root: [{ list: [{ listItem: ["paragraph a", "code ```\n  b"] }, { listItem: ["paragraph c"] }] }],
    });
  });

  it("finds a box after definitions, as GFM does", () => {
    expect(boxesIn("- [a]: b\n  [x] c\n- [d]: e\n  [-] f\n- [x]\n  g\n- [h]: i\n")).toEqual([
      { offset: 12, titleStart: 14 },
      null,
      { offset: 37, titleStart: 39 },
      null,
    ]);
  });

  it("finds no box in a heading of two lines", () => {
    expect(boxesIn("- [ ]\n  a\n  ===\n- [x] # a\n- # [-] 1 b")).toEqual([
      ...[null, { offset: 19, titleStart: 21 }, null],
    ]);
  });

  it("finds no box in code, HTML, a quote or an empty item", () => {
    expect(boxesIn("- ```\n  [ ] a\n  ```\n-     [ ] b\n- <div>\n- > [ ] c\n-\n")).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it("reads inline marks and escapes as text", () => {
    expect(read("**a [b](c) `d\n\\# e <f@g.h> &amp; ![i](j)\n")).toEqual({
      root: ["paragraph **a [b](c) `d\n\\# e <f@g.h> &amp; ![i](j)"],
    });
  });

  it("reads definitions in place", () => {
    expect(read("[a]: b\n[c]: <d e>\n'f\ng' \nh")).toEqual({
      root: ["definition [a]: b", "definition [c]: <d e>\n'f\ng'", "paragraph h"],
    });
    expect(read("[a]: b\n[c]: d\ne\n===\nf")).toEqual({
      root: ["definition [a]: b", "definition [c]: d", "heading e\n===", "paragraph f"],
    });
    expect(readTree("> [a]: b\n> c\n> ===").children[0]?.children).toMatchObject([{}, { start: 11, column: 3 }]);
  });

  it("reports unclosed fences and HTML blocks", () => {
    expect(unclosed("```\na\n  ```\n\n~~~\n    ~~~\n~~")).toEqual([false, true]);
    expect(unclosed("<!-->\n\n<?a\n?>\n\n<!a>\n\n<![CDATA[\n]]>\n\n<pre>\n\n</pre>\n<!--")).toEqual([
      ...[false, false, false, false, false, true],
    ]);
    expect(unclosed("<?a\n\nb>")).toEqual([true]);
    expect(unclosed("  <!-- a\n\n<!--")).toEqual([true]);
    expect(unclosed("<div>\na\n\n<b>\n")).toEqual([false, false]);
    expect(unclosed("a\n\n    b\n- c\n> d\n\n---\n# e\n[f]: g")).toEqual(Array.from({ length: 7 }, () => false));
    expect(readTree("- ```\n  a\n- ~~~\n").children[0]?.children).toMatchObject([
      { isUnclosed: false, children: [{ isUnclosed: true }] },
      { isUnclosed: false, children: [{ isUnclosed: true }] },
    ]);
  });

  it("reads nesting beyond a hundred containers as text", () => {
    let block: Block = readTree(`${"> ".repeat(150)}a`);
    let depth = 0;
    for (; block.children[0] !== undefined; block = block.children[0]) depth += 1;
    expect(depth).toBe(101);
    expect(block).toMatchObject({ type: "paragraph", start: 200, end: 301 });
  });

  it("reads underlines as rules and text if there are more than a hundred", () => {
    expect(readTree("a\n---\n".repeat(100)).children.map(({ type }) => type)).toEqual(Array(100).fill("heading"));
    const types = new Set(readTree("a\n---\n".repeat(101)).children.map(({ type }) => type));
    expect(types).toEqual(new Set(["paragraph", "thematicBreak"]));
  });

  it("reads a byte order mark as a character", () => {
    expect(read("\uFEFF# a\n\n\uFEFF# b\n# c")).toEqual({
      root: ["paragraph \uFEFF# a", "paragraph \uFEFF# b", "heading # c"],
    });
  });
});

describe("closerOf", () => {
  it.each([
    ["<script", "a</SCRIPT>"],
    ["<pre>", "</textarea>"],
    ["<!-- a", "-->"],
    ["<?a", "?>"],
    ["<![CDATA[a", "]]>"],
    ["<!doctype", ">"],
  ])("returns what closes the HTML that %s begins", (text, end) => {
    expect(closerOf(text)?.test(end)).toBe(true);
    expect(closerOf(text)?.test("a")).toBe(false);
  });

  it.each(["<div>", "<prefix>", "<!", "a <!--"])("returns that only a blank line closes %s", (text) => {
    expect(closerOf(text)).toBeNull();
  });
});
