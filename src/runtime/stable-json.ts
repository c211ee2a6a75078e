/** JSON of a value, the same for two that differ only in the order of their fields. Fields without a value count not. */
export const stableJson = (value: unknown): string => JSON.stringify(value, inOrder) ?? "null";

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields);
}
