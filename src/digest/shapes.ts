export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A whole number from 0; null for other values. */
export const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

export interface Place {
  readonly file: string;
  readonly line: number;
}

const form = /^(?:file:\/\/)?((?:[A-Za-z]:)?[^\s():][^():]{0,400}):(\d{1,9})(?::\d{1,9})?\)?$/;

/** Position in a stack line of JavaScript, such as `at test (src/a.js:3:5)`; null outside the project. */
export function stackPlace(text: string): Place | null {
  const line = text.trim();
  if (!/^(?:at|❯|›) /.test(line) || line.length > 1000) return null;
  const called = line.lastIndexOf("(");
  const place = called === -1 ? line.replace(/^(?:at|❯|›) (?:async )?/, "") : line.slice(called + 1);
  const [, file, number] = form.exec(place) ?? [];
  if (file === undefined || /^node:|^internal\/|node_modules\//.test(file) || place.startsWith("node:")) return null;
  return { file, line: Number(number) };
}
