const readAs = (encoding: BufferEncoding, ...bytes: readonly number[]): string => Buffer.from(bytes).toString(encoding);
const utf8 = (...bytes: readonly number[]): string => readAs("utf8", ...bytes);
const latin1 = (...bytes: readonly number[]): string => readAs("latin1", ...bytes);

/** Texts that result from decoding bytes with the wrong encoding. */
export const encodingStrings: Readonly<Record<string, string>> = {
  "byte order mark": "\uFEFFx",
  "two byte order marks": "\uFEFF\uFEFF# x",
  "mark within": "a\uFEFFb",
  "swapped mark": "\uFFFEx",
  NUL: "\u0000",
  "NUL within": "a\u0000b",
  "many NULs": "\u0000".repeat(300),
  "lone continuation": utf8(0x61, 0x80, 0x62),
  "cut of three": utf8(0x61, 0x62, 0xe2, 0x82),
  "cut of four": utf8(0x0a, 0xf0, 0x9f, 0x98),
  "overlong slash": utf8(0x2e, 0x2e, 0xc0, 0xaf),
  "overlong newline": utf8(0x61, 0xc0, 0x8a, 0x62),
  "beyond unicode": utf8(0xf4, 0x90, 0x80, 0x80),
  "byte FF": utf8(0xff, 0xfe, 0xfd),
  "latin one": latin1(0xe9, 0xfc, 0xdf),
  "UTF-8 read as latin one": latin1(0xc3, 0xa9, 0xe2, 0x80, 0xa8),
  "every byte": latin1(...Array.from({ length: 256 }, (_, n) => n)),
  "UTF-16, low first": readAs("latin1", 0xff, 0xfe, 0x54, 0, 0x0a, 0),
  "UTF-16, high first": readAs("latin1", 0xfe, 0xff, 0, 0x54, 0, 0x0a),
  "UTF-7": "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
  "quoted printable": "=3Cscript=3E=0A",
  "encoded word": "=?utf-8?B?eA==?=",
  punycode: "xn--80ak6aa92e.invalid",
  "gzip head": latin1(0x1f, 0x8b, 8, 0, 0, 0, 0, 0),
  "image head": latin1(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  "program head": latin1(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0),
  "substitute of DOS": "x\u001Ay",
  "end of transmission": "x\u0004y",
  "escape to JIS": "\u001B$B!!\u001B(B",
  "mixed line endings": "a\nb\r\nc\rd\u0085e\u2028f",
  "feeds and returns turned": "a\n\rb\n\r",
  "returns in a row": "\r\r\r\r",
};
