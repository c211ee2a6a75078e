/** The fields of an object out of JSON that is not trusted. */
export type Fields = Readonly<Record<string, unknown>>;

/** None where it is not an object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Empty where it is no list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Empty where it is no text. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A number that counts; null where it is none. */
export const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Where something is in a file. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

const form = /^(?:file:\/\/)?((?:[A-Za-z]:)?[^\s():][^():]{0,400}):(\d{1,9})(?::\d{1,9})?\)?$/;

/** The place that a line of a stack of JavaScript names, such as `at test (src/a.js:3:5)`; null outside the project. */
export function stackPlace(text: string): Place | null {
  const line = text.trim();
  if (!/^(?:at|❯|›) /.test(line) || line.length > 1000) return null;
  const called = line.lastIndexOf("(");
  const place = called === -1 ? line.replace(/^(?:at|❯|›) (?:async )?/, "") : line.slice(called + 1);
  const [, file, number] = form.exec(place) ?? [];
  if (file === undefined || /^node:|^internal\/|node_modules\//.test(file) || place.startsWith("node:")) return null;
  return { file, line: Number(number) };
}
