import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownText } from "../../src/parse/own-text.ts";
import { prop } from "../support/prop.ts";

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
