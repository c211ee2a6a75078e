import { describe, expect, it } from "vitest";
import { saidParagraphs } from "../../src/parse/said-paragraphs.ts";

describe("saidParagraphs", () => {
  it("joins lines that run on, and begins anew at blank lines, items and headings", () => {
    expect(saidParagraphs("One\n  goes on\n\nTwo\n- three\n1. four\n# five")).toEqual([
      "One goes on",
      "Two",
      "- three",
      "1. four",
      "# five",
    ]);
  });

  it("knows blank lines and items by what they hold, however far they are indented", () => {
    expect(saidParagraphs("  One\n \t\nTwo\n  - three")).toEqual(["One", "Two", "- three"]);
  });

  it("keeps words apart that code stood between", () => {
    expect(saidParagraphs("needs`x`human")).toEqual(["needs human"]);
  });

  it("leaves out fences, block quotes, code and short quotations", () => {
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
