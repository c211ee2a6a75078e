import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReview } from "../../src/parse/parse-review.ts";
import { prop } from "../support/prop.ts";
import { textsWith } from "../support/texts.ts";

const lines = (...all: string[]): string => all.join("\n");

describe("parseReview", () => {
  it("reads the verdict on the last line", () => {
    expect(parseReview("All good.\n\nREVIEW_PASS\n")).toEqual({ verdict: "pass", code: "", spec: "" });
    expect(parseReview("CODE: x\r\nREVIEW_FAIL \r\n\r\n")).toEqual({ verdict: "fail", code: "x", spec: "" });
    expect(parseReview("CODE: x\n  REVIEW_FAIL")).toEqual({ verdict: "fail", code: "x", spec: "" });
    expect(parseReview("CODE: x\rREVIEW_FAIL")).toEqual({ verdict: "fail", code: "x", spec: "" });
  });

  it.each([
    [""],
    ["REVIEW_PASS\n\nBut mind the tests."],
    ["**REVIEW_PASS**"],
    ["I answer REVIEW_PASS"],
    ["> REVIEW_PASS"],
    ["```\nREVIEW_PASS\n```"],
    ["```\nREVIEW_PASS"],
    ["REVIEW_PASS\n```\nx\n```"],
    ["REVIEW_PASS\n> REVIEW_FAIL"],
    ["REVIEW_PASS\n> REVIEW_PASS"],
    ["REVIEW_PASS\n```\nREVIEW_PASS"],
    ["```"],
    ["constructor"],
  ])("finds no verdict in %j", (text) => {
    expect(parseReview(text).verdict).toBe("none");
  });

  it("separates the findings, with the lines that continue them", () => {
    const text = lines(
      "Some findings:",
      "",
      "- **CODE**: No test for null",
      "  in src/a.ts",
      "- Spec: FR-2 names no limit",
      "",
      "This is general.",
      "1. __code:__ Dead code",
      "```",
      "CODE: shown",
      "```",
      "> SPEC: quoted",
      "CODE:",
      "SPEC:",
      "below the label",
      "REVIEW_FAIL",
    );
    expect(parseReview(text)).toEqual({
      verdict: "fail",
      code: "No test for null in src/a.ts\nDead code",
      spec: "FR-2 names no limit\nbelow the label",
    });
  });

  it("joins lines of a finding, and keeps paragraphs of unlabelled text", () => {
    expect(parseReview("SPEC: a\nb\nREVIEW_FAIL")).toEqual({ verdict: "fail", code: "", spec: "a b" });
    expect(parseReview("a\nb\n\nc\nREVIEW_FAIL")).toEqual({ verdict: "fail", code: "a\nb\n\nc", spec: "" });
  });

  it("takes the whole text as a code finding if none is labelled", () => {
    expect(parseReview("The parser\nis slow.\n\n```\nx\n```\nREVIEW_FAIL")).toEqual({
      verdict: "fail",
      code: "The parser\nis slow.",
      spec: "",
    });
    expect(parseReview("REVIEW_FAIL")).toEqual({ verdict: "fail", code: "", spec: "" });
    expect(parseReview("The parser is slow.\nREVIEW_PASS")).toEqual({ verdict: "pass", code: "", spec: "" });
  });

  it("keeps the findings of a reviewer that passes or gives no verdict", () => {
    expect(parseReview("SPEC: FR-2\nREVIEW_PASS")).toEqual({ verdict: "pass", code: "", spec: "FR-2" });
    expect(parseReview("CODE: x")).toEqual({ verdict: "none", code: "x", spec: "" });
  });

  it("keeps 2000 characters of each, whole ones", () => {
    const { code, spec } = parseReview(`CODE: a${"😀".repeat(1500)}\nSPEC: ${"s".repeat(3000)}\nREVIEW_FAIL`);
    expect(code).toBe(`a${"😀".repeat(999)}`);
    expect(spec).toBe("s".repeat(2000));
    expect(parseReview(`${"x".repeat(3000)}\nREVIEW_FAIL`).code).toBe("x".repeat(2000));
  });
});

describe("parseReview, for every text", () => {
  const text = textsWith(
    ["CODE: ", "SPEC: ", "- ", "**", "\n", "\r\n", "\r", "REVIEW_PASS", "REVIEW_FAIL", "```", "> ", "x"],
    20,
  );

  prop("a verdict is the last line and nothing else", [text], (said) => {
    const last = said
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1)
      ?.trim();
    const { verdict } = parseReview(said);
    expect(verdict).toBe(
      verdict === "none" ? "none" : last === "REVIEW_PASS" ? "pass" : last === "REVIEW_FAIL" ? "fail" : "another",
    );
  });

  prop("findings are capped", [text, fc.nat(5000)], (said, times) => {
    const { code, spec } = parseReview(`${said}${"y ".repeat(times)}`);
    expect(code.length).toBeLessThanOrEqual(2000);
    expect(spec.length).toBeLessThanOrEqual(2000);
  });
});
