import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonError } from "../../../../src/hosts/cli/options/find-json-error.ts";
import { prop } from "../../../support/prop.ts";

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("findJsonError", () => {
  it.each([
    ["", 0],
    ["abc", 0],
    ['{"a":1,}', 7],
    ["{a: 1}", 1],
    ['{"a" 1}', 5],
    ["[1 2]", 3],
    ["[1,]", 3],
    ["[1", 2],
    ["[1}", 2],
    ["{} x", 3],
    ['{"a":"x\ny"}', 5],
    ["// no\n{}", 0],
  ])("finds where %j stops being JSON", (text, offset) => {
    expect(findJsonError(text)).toBe(offset);
  });

  it("is not tired by depth", () => {
    expect(findJsonError("[".repeat(100_000))).toBe(100_000);
  });
});

describe("findJsonError, for every text", () => {
  const scraps = fc.string({
    unit: fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "u00e9",
      "a",
      "0",
      "1",
      "-",
      ".",
      "e",
      " ",
      "\n",
      "true",
      "null",
      "\u0001",
      "é",
    ),
    maxLength: 12,
  });
  prop("finds an error exactly where JSON.parse does", [scraps], (text) => {
    expect(findJsonError(text) === null).toBe(isJson(text));
  });

  prop("finds none in what was written as JSON", [fc.json()], (text) => {
    expect(findJsonError(text)).toBeNull();
  });

  const json = fc.oneof(
    fc.json(),
    fc.dictionary(fc.string(), fc.array(fc.nat())).map((value) => JSON.stringify(value)),
  );
  const change = fc.record({ at: fc.nat(), taken: fc.nat(1), put: fc.constantFrom("", ",", ":", "{", "]", '"', "0") });

  prop("agrees about JSON with one character changed", [json, change], (text, { at, taken, put }) => {
    const place = at % (text.length + 1);
    const changed = text.slice(0, place) + put + text.slice(place + taken);
    expect(findJsonError(changed) === null).toBe(isJson(changed));
  });
});
