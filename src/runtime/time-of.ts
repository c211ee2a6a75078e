/** Milliseconds since 1970 as ISO 8601. */
export const timeOf = (ms: number): string => new Date(ms).toISOString();
