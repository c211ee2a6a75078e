import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownText, readLines, saidParagraphs, spokenLines, unbold } from "../../src/parse/read-lines.ts";
import { prop } from "../support/prop.ts";
import { joined } from "../support/texts.ts";

const kinds = (text: string): string[] => readLines(text).map(({ kind, text: line }) => `${kind} ${line}`);

describe("readLines", () => {
  it("splits at every line ending", () => {
    expect(kinds("a\nb\r\nc\rd")).toEqual(["spoken a", "spoken b", "spoken c", "spoken d"]);
  });

  it("keeps an empty message as one empty line", () => {
    expect(kinds("")).toEqual(["spoken "]);
  });

  it.each(["```", "~~~", "  ```ts", "````"])("tells what stands in a fence opened by %j", (mark) => {
    const fence = mark.trim().replace("ts", "");
    expect(kinds(`a\n${mark}\nb\n${fence}\nc`)).toEqual(["spoken a", "fenced b", "spoken c"]);
  });

  it("closes a fence with at least as many marks of the same kind and nothing after them", () => {
    expect(kinds("````\na\n```\n~~~~\n```` b\n`````  \nc")).toEqual([
      "fenced a",
      "fenced ```",
      "fenced ~~~~",
      "fenced ```` b",
      "spoken c",
    ]);
  });

  it("lets an unclosed fence reach to the end", () => {
    expect(kinds("```\na\n\nb")).toEqual(["fenced a", "fenced ", "fenced b"]);
  });

  it("takes a code span of three backticks for text", () => {
    expect(kinds("```a``` b\nc")).toEqual(["spoken ```a``` b", "spoken c"]);
  });

  it("opens a fence of tildes whatever follows them", () => {
    expect(kinds("~~~ a`b`\nc\n~~~\nd")).toEqual(["fenced c", "spoken d"]);
  });

  it("recognizes quoted lines, also indented ones", () => {
    expect(kinds("> a\n  > b\n>\nc > d")).toEqual(["quoted > a", "quoted   > b", "quoted >", "spoken c > d"]);
  });

  it("opens no fence inside a quote", () => {
    expect(kinds("> ```\na")).toEqual(["quoted > ```", "spoken a"]);
  });

  it("cuts a line of more than 16 KiB and marks the cut", () => {
    const [line] = readLines(`TASK_COMPLETE${" ".repeat(20_000)}not`);
    expect(line?.text).toBe(`TASK_COMPLETE${" ".repeat(16 * 1024 - 13)}…`);
  });

  it("keeps a line of 16 KiB", () => {
    expect(readLines("x".repeat(16 * 1024))[0]?.text).toHaveLength(16 * 1024);
  });
});

describe("readLines, for every text", () => {
  const fragment = fc.constantFrom("\n", "\r\n", "```", "~~~", "````", "> ", "  ", "a", "`");
  const text = joined(fc.oneof(fragment, fc.string({ unit: "binary" })), 30);

  prop("I13 no line holds a line ending or is longer than the cap", [text], (message) => {
    for (const line of readLines(message)) expect(line.text).toMatch(/^[^\r\n]{0,16385}$/);
  });

  prop("I13 what a fence longer than any run encloses is never spoken", [text], (message) => {
    const fence = "`".repeat(message.length + 3);
    expect(readLines(`${fence}\n${message}\n${fence}`).every(({ kind }) => kind === "fenced")).toBe(true);
  });
});

describe("readLines, line by line", () => {
  it("keeps one of empty lines in a row", () => {
    expect(readLines("a\n\n\nb").map(({ text }) => text)).toEqual(["a", "", "b"]);
  });

  it.each(["", " ", "\t"])("finds a fence behind %j", (indentation) => {
    expect(readLines(`${indentation}~~~\na\n${indentation}~~~\nb`)).toEqual([
      { kind: "fenced", text: "a" },
      { kind: "spoken", text: "b" },
    ]);
  });
});

describe("spokenLines", () => {
  it("skips fences and quotes", () => {
    expect(spokenLines("Done.\n```\nlog\n```\n> quoted\n    indented\nTASK_COMPLETE")).toEqual([
      "Done.",
      "    indented",
      "TASK_COMPLETE",
    ]);
  });
});

describe("saidParagraphs", () => {
  it("joins wrapped lines, and splits at blank lines, items and headings", () => {
    expect(saidParagraphs("One\n  goes on\n\nTwo\n- three\n1. four\n# five")).toEqual([
      "One goes on",
      "Two",
      "- three",
      "1. four",
      "# five",
    ]);
  });

  it("recognizes blank lines and items at any indentation", () => {
    expect(saidParagraphs("  One\n \t\nTwo\n  - three")).toEqual(["One", "Two", "- three"]);
  });

  it("keeps words apart that code stood between", () => {
    expect(saidParagraphs("needs`x`human")).toEqual(["needs human"]);
  });

  it("skips fences, block quotes, code and short quotations", () => {
    expect(saidParagraphs('a `b` c "d" (“e”)\n```\nf\n```\n> g\nh ``i ` j`` k ` l')).toEqual(["a c ( ) h k ` l"]);
  });

  it("keeps a quotation that is too long to be one, and marks in the middle of a word", () => {
    const long = `"${"x".repeat(201)}"`;
    expect(saidParagraphs(long)).toEqual([long]);
    expect(saidParagraphs('5" by 6"')).toEqual(['5" by 6"']);
  });

  it("finds nothing in an empty text", () => {
    expect(saidParagraphs("")).toEqual([]);
  });
});

describe("unbold", () => {
  it.each([
    ["**Trying:** x", "Trying: x"],
    ["**Trying**: x", "Trying: x"],
    ["**Trying: x**", "Trying: x"],
    ["**Trying: src/**/*.ts**", "Trying: src/**/*.ts"],
    ["**Trying:** **x**", "Trying: **x**"],
    ["**New Approach:**", "New Approach:"],
  ])("reads %j as %j", (line, plain) => {
    expect(unbold(line)).toBe(plain);
  });

  it.each([
    "",
    "Trying: **x**",
    "**Trying** x: y",
    "**Trying: x",
    "****: x",
    "*Trying:* x",
    `**${"x".repeat(41)}:** y`,
  ])("leaves %j as it is", (line) => {
    expect(unbold(line)).toBe(line);
  });
});

describe("ownText", () => {
  it.each([
    [" install\tzod \u0007 first\u2028now ", "install zod first now"],
    ["\u001b[2Jred \u009b31mand\u001b[0m blue\u001b]0;title\u0007", "red and blue"],
    ["[a] and [b]", "[a] and [b]"],
    ["[see](x)", "[see](x)"],
    ["Promise<string>", "Promise<string>"],
    ["7", "7"],
  ])("takes %j as %j", (text, own) => {
    expect(ownText(text, 50)).toBe(own);
  });

  it.each(["", " \t", "…", "- * -", "\u200b", "👍", "[the adjustment]", " <what was tried> ", "[]"])(
    "takes %j for nothing",
    (text) => {
      expect(ownText(text, 50)).toBeNull();
    },
  );

  it("keeps whole characters, and no blank at the end", () => {
    expect(ownText(`a${"😀".repeat(9)}`, 4)).toBe("a😀😀😀");
    expect(ownText("abc def", 4)).toBe("abc");
  });
});

describe("ownText, for every text", () => {
  prop(
    "I19 it answers with one line of the length that is allowed, and takes that for the same",
    [fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 20 })],
    (text, max) => {
      const own = ownText(`a${text}`, max);
      if (own === null) return;
      expect([...own].length).toBeLessThanOrEqual(max);
      expect(own).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(ownText(own, max)).toBe(own);
    },
  );
});
