import assert from "node:assert/strict";

/** Code points that a terminal obeys or does not draw. Written by hand, without code of the product. */
const unseen: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const isUnseen = new Uint8Array(0x110000);
for (const [first, last] of unseen) isUnseen.fill(1, first, last + 1);

export function assertPrintable(text: string): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (isUnseen[code] === 1) assert.fail(`U+${code.toString(16)} is printed: ${JSON.stringify(text.slice(0, 200))}`);
    if (code > 0xffff) at += 1;
  }
}
