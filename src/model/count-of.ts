/** A count with its word: `1 attempt`, `3 attempts`, `2 fixes`. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
