import { describe, expect, it } from "vitest";
import { firstPart, lastPart, onOneLine } from "../../src/prompt/cut-text.ts";

describe("lastPart", () => {
  it("keeps what fits, but for blanks at the end", () => {
    expect(lastPart(" a\nb \n", 10)).toBe(" a\nb");
  });

  it("keeps the end, from the beginning of a line", () => {
    expect(lastPart("first\nsecond\nthird", 10)).toBe("…\nthird");
    expect(lastPart("😀😀😀", 3)).toBe("…\n😀");
  });
});

describe("firstPart", () => {
  it("keeps what fits, but for blanks at the end", () => {
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
