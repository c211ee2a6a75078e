/** The bytes of a file as text. */
export interface ReadText {
  readonly text: string;
  readonly isUtf8: boolean;
}

/**
 * Read bytes as UTF-8. Other bytes become characters that stand in for them, so that `bytesOf` gives every byte back.
 */
export function textOf(content: Buffer): ReadText {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content), isUtf8: true };
  } catch {
    return { text: content.toString("latin1").replace(sequence, decoded), isUtf8: false };
  }
}

/** The bytes of a text that was read from something that is not UTF-8. */
export function bytesOf(text: string): Buffer<ArrayBuffer> {
  const parts = text.split(standIns);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.from(part, "utf16le").filter(isLow))),
  );
}

/** Characters for private use: a byte from 0x80 on, added to U+EF00. */
const standIns = /([\uEF80-\uEFFF]+)/;
const standIn = (byte: string): string => String.fromCharCode(0xef00 + byte.charCodeAt(0));
/** The first byte of each character. */
const isLow = (_: number, index: number): boolean => index % 2 === 0;

/** A character that has several bytes in UTF-8, or one byte, in a text with one character for each byte. */
const sequence =
  /[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]|[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}|\xED[\x80-\x9F][\x80-\xBF]|\xF0[\x90-\xBF][\x80-\xBF]{2}|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2}|[\x80-\xFF]/g;

function decoded(bytes: string): string {
  const character = bytes.length === 1 ? "" : Buffer.from(bytes, "latin1").toString("utf8");
  // A character that looks like a stand-in would come back as another byte.
  return character === "" || standIns.test(character) ? bytes.replace(/./gs, standIn) : character;
}
