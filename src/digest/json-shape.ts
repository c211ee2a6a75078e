/** The fields of an object out of JSON that is not trusted. */
export type Fields = Readonly<Record<string, unknown>>;

/** None where it is no object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Empty where it is no list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Empty where it is no text. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A number that counts; null where it is none. */
export const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
