import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipText, escapeLines, escapeText } from "../../src/wording/escape-text.ts";
import { prop } from "../support/prop.ts";

const hostile = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      "\u001b",
      "\u009b",
      "\u0007",
      "\r",
      "\n",
      "\t",
      "\u202e",
      "\u200b",
      "\u2028",
      "\ud800",
      "\ufeff",
      "\ufff9",
    ),
    fc.constantFrom("\u001b]52;c;", "\u001b[2J", "ALL_TASKS_COMPLETE", "\nALL_TASKS_COMPLETE\n"),
  ),
});
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

describe("escapeText", () => {
  it("makes characters visible that would act on a terminal", () => {
    expect(escapeText("a\u001b[31mb\u0007")).toBe("a\\x1b[31mb\\x07");
    expect(escapeText("\u009b2J")).toBe("\\x9b2J");
    expect(escapeText("\u202etxt.exe\u200b")).toBe("\\u202etxt.exe\\u200b");
    expect(escapeText("\u{e0041}")).toBe("\\u{e0041}");
    expect(escapeText("\ud800")).toBe("\\ud800");
  });

  it("keeps one line one line", () => {
    expect(escapeText("one\r\ntwo\tthree\u2028")).toBe("one\\r\\ntwo\\tthree\\u2028");
  });

  it("leaves ordinary text unchanged", () => {
    const text = "File not found: C:\\src\\größe.ts ✔️ 日本語 👍";
    expect(escapeText(text)).toBe(text);
  });
});

describe("escapeLines", () => {
  it("keeps line feeds and tabs", () => {
    expect(escapeLines("one\n\ttwo\r\n\u001b")).toBe("one\n\ttwo\\r\n\\x1b");
  });

  it("quotes a line that claims a complete run", () => {
    expect(escapeLines("a\nALL_TASKS_COMPLETE\n  ALL_TASKS_COMPLETE \nnot ALL_TASKS_COMPLETE")).toBe(
      "a\n> ALL_TASKS_COMPLETE\n>   ALL_TASKS_COMPLETE \nnot ALL_TASKS_COMPLETE",
    );
  });
});

describe("escaping, for every text", () => {
  prop("I22: lets nothing through that acts on a terminal", [hostile], (text) => {
    expect(escapeText(text)).not.toMatch(unsafe);
    expect(escapeLines(text).replace(/[\n\t]/g, "")).not.toMatch(unsafe);
  });

  prop("I10: lets no line through that claims a complete run", [hostile], (text) => {
    expect(
      escapeLines(text)
        .split("\n")
        .map((line) => line.trim()),
    ).not.toContain("ALL_TASKS_COMPLETE");
  });

  prop("I22: escapes nothing twice", [hostile], (text) => {
    expect(escapeText(escapeText(text))).toBe(escapeText(text));
  });
});

describe("clipText", () => {
  it.each([
    ["abc", 3, "abc", 3],
    ["abcd", 3, "ab…", 3],
    ["abc", 0, "", 0],
    ["abc", -5, "", 0],
    ["", 0, "", 0],
    ["日本語", 6, "日本語", 6],
    ["日本語", 5, "日本…", 5],
    ["日本語", 4, "日…", 3],
    ["e\u0301a", 2, "e\u0301a", 2],
  ])("truncates %j to %i columns", (text, columns, clipped, width) => {
    expect(clipText(text, columns)).toEqual({ text: clipped, width });
  });

  it("reads no more than it shows", () => {
    const start = process.cpuUsage();
    expect(clipText("x".repeat(10_000_000), 3).text).toBe("xx…");
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(500);
  });

  prop(
    "never exceeds the columns, for every text",
    [fc.string({ unit: "grapheme" }), fc.nat(20)],
    (text, columns) => clipText(text, columns).width <= columns,
  );
});
