import { crc32 } from "node:zlib";

/** A line of a journal. */
export type Line = Readonly<Record<string, unknown>> & { readonly type?: string };

/** The value of a sealed line, read without code of the product; null if the line is torn or altered. */
export function openLine(line: string): Line | null {
  const cut = line.lastIndexOf(',"crc":');
  const isWhole = cut !== -1 && Number(line.slice(cut + 7, -1)) === crc32(line.slice(0, cut));
  return isWhole ? (JSON.parse(`${line.slice(0, cut)}}`) as Line) : null;
}

/** The records of a line of a journal, each with its number in the run and its time; null for a torn one. */
export function openRecords(line: string): readonly (Line | null)[] {
  const { n, at, records } = openLine(line) ?? {};
  if (!Array.isArray(records)) return [null];
  return (records as readonly Line[]).map((record, index) => ({ ...record, n: Number(n) + index, at }));
}
