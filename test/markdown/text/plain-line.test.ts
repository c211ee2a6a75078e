import { describe, expect, it } from "vitest";
import { plainLine } from "../../../src/markdown/text/plain-line.ts";
import { hostileTexts } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

describe("plainLine", () => {
  it.each([
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]8;;http://x\u0007link\u001b]8;;\u0007", "link"],
    ["\u009b1mbold", "bold"],
    ["a\r\n\tb\u2028c\u0085d", "a b c d"],
    ["a\u202eb\u200bc\uFEFF", "abc"],
    ["a\0b\u007fc", "abc"],
    ["\ud800x\udfff", "\uFFFDx\uFFFD"],
    ["  a   b  ", "a b"],
    ["a\u{E0041}\u{E007F}b\u034Fc\u2061d\u3164", "abcd"],
    ["👩\u200D👧 ❤\uFE0F", "👩\u200D👧 ❤\uFE0F"],
  ])("makes %j %j", (text, expected) => {
    expect(plainLine(text, 100)).toBe(expected);
  });

  it("keeps whole characters of a long text", () => {
    expect(plainLine("👍👍👍", 2)).toBe("👍👍");
    expect(plainLine("ab cd", 3)).toBe("ab");
  });

  it("looks at 32 characters for each that it keeps, and at no more", () => {
    expect(plainLine(`${"\u200b".repeat(319)}ab`, 10)).toBe("a");
    expect(plainLine(`${"\u200b".repeat(320)}ab`, 10)).toBe("");
  });
});

describe("plainLine, for every text", () => {
  prop("is short, on one line and the same when made again", [hostileTexts], (text) => {
    const line = plainLine(text, 40);
    expect([...line].length).toBeLessThanOrEqual(40);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(line).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E]|\p{Cs}/u);
    expect(plainLine(line, 40)).toBe(line);
  });
});
