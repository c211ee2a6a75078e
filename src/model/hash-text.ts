/**
 * A short name of a text, to tell whether it is the same: not for safety.
 *
 * @returns 8 hexadecimal digits: FNV-1a over UTF-16 code units.
 */
export function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}
