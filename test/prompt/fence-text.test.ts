import { describe, expect, it } from "vitest";
import { readLines } from "../../src/parse/read-lines.ts";
import { fenceText, firstPart, lastPart, onOneLine } from "../../src/prompt/fence-text.ts";
import { prop } from "../support/prop.ts";
import { textsWith } from "../support/texts.ts";

describe("fenceText", () => {
  it("puts a text between labelled fences", () => {
    expect(fenceText("a\nb", "text")).toBe("```text\na\nb\n```");
  });

  it("takes fences longer than any run of backticks inside", () => {
    expect(fenceText("a ```` b `` c", "text")).toBe("`````text\na ```` b `` c\n`````");
  });
});

describe("fenceText, for every text", () => {
  const text = textsWith(["`", "```", "~~~", "\n", "\r", " "], 20);

  prop("I22 nothing in it closes the fence", [text], (inside) => {
    const [last, ...rest] = readLines(`${fenceText(inside, "text")}\nbehind`).reverse();
    expect(last).toEqual({ kind: "spoken", text: "behind" });
    expect(rest.every(({ kind }) => kind === "fenced")).toBe(true);
  });
});

describe("lastPart", () => {
  it("keeps the part that fits, without blanks at the end", () => {
    expect(lastPart(" a\nb \n", 10)).toBe(" a\nb");
  });

  it("keeps the end, from the beginning of a line", () => {
    expect(lastPart("first\nsecond\nthird", 10)).toBe("…\nthird");
    expect(lastPart("😀😀😀", 3)).toBe("…\n😀");
  });
});

describe("firstPart", () => {
  it("keeps the part that fits, without blanks at the end", () => {
    expect(firstPart(" a\nb \n", 10)).toBe(" a\nb");
  });

  it("keeps the beginning, to the end of a line", () => {
    expect(firstPart("first\nsecond\nthird", 10)).toBe("first\n…");
    expect(firstPart("😀😀😀", 3)).toBe("😀\n…");
  });
});

describe("onOneLine", () => {
  it("makes one line of several", () => {
    expect(onOneLine(" a\r\n\tb\u2028c ", 20)).toBe("a b c");
    expect(onOneLine("abcdef", 3)).toBe("abc …");
  });
});
