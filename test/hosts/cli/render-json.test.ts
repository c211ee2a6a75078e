import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderJson } from "../../../src/hosts/cli/cli-command.ts";
import { prop } from "../../support/prop.ts";

describe("renderJson", () => {
  it("escapes control characters that JSON leaves unescaped", () => {
    expect(renderJson({ text: "\u001b \u009b \u202e \u{e0041}" })).toBe(
      '{"text":"\\u001b \\u009b \\u202e \\udb40\\udc41"}',
    );
  });
});

describe("renderJson, for every value", () => {
  const text = fc.string({
    unit: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u007f", "\u009b", "\u202e", "\u2028", "\u{e0041}")),
  });
  const values = fc.oneof(fc.jsonValue(), fc.dictionary(text, fc.array(text)));
  prop("I22: is one line of safe text that parses to the same value", [values], (value) => {
    const line = renderJson(value);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
  });
});
