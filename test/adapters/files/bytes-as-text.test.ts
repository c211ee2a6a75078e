import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, textOf } from "../../../src/adapters/files/bytes-as-text.ts";
import { prop } from "../../support/prop.ts";

describe("textOf", () => {
  it.each(["", "Größe 📏\r\n", "\uFEFFx", "\uEF80\uEFFF", "a\0b"])("reads %j as it is written", (text) => {
    expect(textOf(Buffer.from(text))).toEqual({ text, isUtf8: true });
  });

  it.each<[string, number[], string]>([
    ["a byte that begins nothing", [0x61, 0xff, 0x62], "a\uEFFFb"],
    ["Latin-1 beside UTF-8", [0xe4, 0xc3, 0xa4], "\uEFE4ä"],
    ["a character that is cut off", [0xf0, 0x9f, 0x93], "\uEFF0\uEF9F\uEF93"],
    ["an overlong character", [0xc0, 0xaf], "\uEFC0\uEFAF"],
    ["half of a pair", [0xed, 0xa0, 0x80], "\uEFED\uEFA0\uEF80"],
    ["what is above Unicode", [0xf4, 0x90, 0x80, 0x80], "\uEFF4\uEF90\uEF80\uEF80"],
    ["a character of private use", [0xff, 0xee, 0xbe, 0x80], "\uEFFF\uEFEE\uEFBE\uEF80"],
    ["a byte order mark", [0xef, 0xbb, 0xbf, 0xff], "\uFEFF\uEFFF"],
  ])("reads %s", (_, bytes, text) => {
    expect(textOf(Buffer.from(bytes))).toEqual({ text, isUtf8: false });
  });
});

describe("bytesOf, for all bytes", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 30 }),
    fc
      .array(fc.constantFrom([0xee, 0xbe, 0x80], [0xf0, 0x9f, 0x93, 0x8f], [0xc3], [0xa4], [0x0a], [0xef, 0xbf, 0xbd]))
      .map((parts) => Uint8Array.from(parts.flat())),
  );

  prop("I7: gives back what was read", [bytes], (content) => {
    const { text, isUtf8 } = textOf(Buffer.from(content));
    expect([...(isUtf8 ? Buffer.from(text) : bytesOf(text))]).toEqual([...content]);
  });

  prop("reads every character of UTF-8 as it is", [fc.string({ unit: "binary" })], (text) => {
    const known = text.replace(/[\uEF80-\uEFFF]/gu, "");
    expect(textOf(Buffer.concat([Buffer.from(known), Buffer.from([0xff])])).text).toBe(`${known}\uEFFF`);
  });
});
