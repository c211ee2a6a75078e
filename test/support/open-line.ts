import { crc32 } from "node:zlib";

/** A line of a journal. */
export type Line = Readonly<Record<string, unknown>> & { readonly type?: string };

/** The value of a sealed line, read with other code than the product's; null when it is torn or altered. */
export function openLine(line: string): Line | null {
  const cut = line.lastIndexOf(',"crc":');
  const isWhole = cut !== -1 && Number(line.slice(cut + 7, -1)) === crc32(line.slice(0, cut));
  return isWhole ? (JSON.parse(`${line.slice(0, cut)}}`) as Line) : null;
}
