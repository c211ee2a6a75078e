/** JSON of a value, independent of the order of its fields. Undefined fields are ignored. */
export const stableJson = (value: unknown): string => JSON.stringify(value, inOrder) ?? "null";

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields);
}
