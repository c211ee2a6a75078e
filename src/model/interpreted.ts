/**
 * Has zod read a value by its schema as it stands. Else it first writes a parser, which a schema has to read thousands of
 * values with before that pays.
 */
export const interpreted = { jitless: true } as const;
