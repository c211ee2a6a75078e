import { hashText } from "./hash-text.ts";

/** Characters up to which a text stays whole: a file system takes names of 255 bytes, and a name has other parts. */
const longest = 100;
const kept = 80;

/**
 * A text as a part of a file's name. Characters that mean something in a path are percent-encoded; of more than 100
 * characters the first 80 are kept, and a hash of the text. Same texts give same parts.
 */
export function fileNamePart(text: string): string {
  const part = text.replace(/[^A-Za-z0-9._#-]/gu, encoded);
  return part.length <= longest ? part : `${part.slice(0, kept)}~${hashText(text)}`;
}

const encoded = (character: string): string =>
  Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
