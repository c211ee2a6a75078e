/** A count with its word: `1 fix`, `2 fixes`. */
export const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
