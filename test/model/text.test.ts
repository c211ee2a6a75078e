import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clamp, fingerprint, hashText, lastOf, nearestName, shorten, someOf } from "../../src/model/text.ts";
import { prop } from "../support/prop.ts";

describe("clamp", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc"],
    ["😀😀😀", 2, "😀😀"],
    ["a😀😀", 3, "a😀😀"],
    ["abc", 0, ""],
  ])("truncates %j to %i code points", (text, max, cut) => {
    expect(clamp(text, max)).toBe(cut);
  });
});

describe("shorten", () => {
  it.each([
    ["one two three", 13, "one two three"],
    ["one\n two\tthree ", 13, "one two three"],
    ["one two three", 12, "one two…"],
    ["one two three", 7, "one tw…"],
    ["one two three", 8, "one two…"],
    ["a word-that-is-long", 10, "a word-th…"],
    ["😀😀😀", 2, "😀…"],
    ["", 5, ""],
  ])("shortens %j to %i code points", (text, max, short) => {
    expect(shorten(text, max)).toBe(short);
  });
});

describe("lastOf", () => {
  it.each([
    [[], 3, []],
    [["ab", "c"], 3, ["ab", "c"]],
    [["ab", "c"], 2, ["c"]],
    [["a", "bcd"], 2, []],
  ])("returns of %j the end: %i characters", (texts, max, last) => {
    expect(lastOf(texts, max)).toEqual(last);
  });
});

describe("clamp, for every text", () => {
  prop(
    "I19 it is the first code points, with none split",
    [fc.string({ unit: "binary" }), fc.nat({ max: 12 })],
    (text, max) => {
      expect(clamp(text, max)).toBe([...text].slice(0, max).join(""));
    },
  );
});

describe("fingerprint", () => {
  it("is sixteen hexadecimal digits and stable", () => {
    expect(fingerprint("")).toBe("cbf29ce484222325");
    expect(fingerprint("a")).toBe("af63dc4c8601ec8c");
    expect(fingerprint("not found")).toBe("08565cf8a3e3ee3a");
  });

  it.each([
    ["src/a.ts:12:5: no parser", "src/a.ts:120: no parser"],
    ["src/a.ts(12,5): error TS2322", "src/a.ts(7): error TS2322"],
    ["Makefile:12: recipe failed", "Makefile:99: recipe failed"],
    ["at line 12, column 5", "at line 3, column 77"],
    ["2025-11-20T13:24:00.123Z no parser", "2026-01-02T03:04:05Z no parser"],
    ["[13:24:00] no parser", "[03:04:05,5] no parser"],
    ["Timeout after 5000ms", "Timeout after 30.5 s"],
    ["listen 127.0.0.1:43123", "listen 127.0.0.1:80"],
    ["GET localhost:3000 refused", "GET localhost:8080 refused"],
    ["object at 0x7ffd1234", "object at 0xdeadbeef"],
    ["commit 9f3c2ab1 is missing", "commit 00aa11bb22cc is missing"],
    ["run 123e4567-e89b-12d3-a456-426614174000", "run 00000000-0000-4000-8000-000000000000"],
    ["no \n parser ", "no parser"],
    [`${"x".repeat(500)}y`, `${"x".repeat(500)}z`],
    [`${"x".repeat(400)}y`, `${"x".repeat(400)}z`],
  ])("is the same for %j and %j", (one, other) => {
    expect(fingerprint(one)).toBe(fingerprint(other));
  });

  it.each([
    ["File not found: src/a.ts", "File not found: src/b.ts"],
    [`${"x".repeat(399)}y`, `${"x".repeat(399)}z`],
    ["No parser", "no parser"],
    ["error TS2322", "error TS2345"],
    ["expected 4", "expected 5"],
    ["3 tests failed", "2 tests failed"],
    ["deadbeef", "feedface"],
    ["Verify failed (exit 1): x", "Verify failed (exit 2): x"],
  ])("differs for %j and %j", (one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other));
  });
});

const numbers = fc.integer({ min: 1, max: 99_999 });
const clocks = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });
const words = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,6}){0,6}$/);

describe("fingerprint, for every error", () => {
  prop("I18 it depends only on the text", [fc.string({ unit: "binary" })], (text) => {
    expect(fingerprint(text)).toMatch(/^[0-9a-f]{16}$/);
    expect(fingerprint(text)).toBe(fingerprint(`${text}`));
  });

  prop(
    "it ignores line numbers, times, addresses and durations",
    [words, fc.tuple(numbers, clocks), fc.tuple(numbers, clocks)],
    (text, ...seen) => {
      const [one, other] = seen.map(([n, at]) =>
        fingerprint(`${at.toISOString()} ${text} at src/a.ts:${n}:${n} line ${n} 0x${n.toString(16)} after ${n}ms`),
      );
      expect(one).toBe(other);
    },
  );

  prop("it differs for errors with different words", [words, words], (one, other) => {
    expect(fingerprint(one) === fingerprint(other)).toBe(one === other);
  });
});

describe("hashText", () => {
  // Published values of 32-bit FNV-1a.
  it.each([
    ["", "811c9dc5"],
    ["a", "e40c292c"],
    ["foobar", "bf9cf968"],
  ])("of %j is %s", (text, hash) => {
    expect(hashText(text)).toBe(hash);
  });

  it("has eight digits, zeros in front included", () => {
    expect(hashText("task 20")).toBe("00b24756");
  });
});

const known = ["--exec", "--max-fix-tasks", "--max-fix-depth", "--yes"];

describe("someOf", () => {
  it("names the first few, and counts the rest", () => {
    expect(someOf(["a", "b", "c"], 3)).toBe("a, b, c");
    expect(someOf(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
  });
});

describe("nearestName", () => {
  it.each([
    ["--exce", "--exec"],
    ["--EXEC", "--exec"],
    ["--max-fixtasks", "--max-fix-tasks"],
    ["--max-fix-dept", "--max-fix-depth"],
    ["--max-f", "--max-fix-tasks"],
    ["--ye", "--yes"],
  ])("suggests for %s: %s", (typed, meant) => {
    expect(nearestName(typed, known)).toBe(meant);
  });

  it("counts letters in the wrong order once, and prefers a name of the same length", () => {
    expect(nearestName("stauts", ["stats", "status"])).toBe("status");
    expect(nearestName("ba", ["abcde", "ab"], () => 1)).toBe("ab");
  });

  it("suggests nothing that differs in more than a quarter of its letters", () => {
    expect(nearestName("--repair-exec", ["--verifier-exec", "--operator-exec", "--reviewer-exec"])).toBeUndefined();
    expect(nearestName("--verfer-exc", ["--verifier-exec"])).toBe("--verifier-exec");
  });

  it("suggests nothing for a word far from all", () => {
    expect(nearestName("--reporter", known)).toBeUndefined();
    expect(nearestName("x".repeat(100_000), known)).toBeUndefined();
    expect(nearestName("--exec", [])).toBeUndefined();
  });
});
