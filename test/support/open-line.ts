import { crc32 } from "node:zlib";

export type Line = Readonly<Record<string, unknown>> & { readonly type?: string };

/** Null for an incomplete or altered line. Uses no code of the product. */
export function openLine(line: string): Line | null {
  const cut = line.lastIndexOf(',"crc":');
  const isWhole = cut !== -1 && Number(line.slice(cut + 7, -1)) === crc32(line.slice(0, cut));
  return isWhole ? (JSON.parse(`${line.slice(0, cut)}}`) as Line) : null;
}

export function openRecords(line: string): readonly (Line | null)[] {
  const { n, at, records } = openLine(line) ?? {};
  if (!Array.isArray(records)) return [null];
  return (records as readonly Line[]).map((record, index) => ({ ...record, n: Number(n) + index, at }));
}
