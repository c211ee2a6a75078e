/**
 * Makes zod read a value without compiling a parser for the schema first. Compiling pays only for a schema that reads
 * thousands of values.
 */
export const interpreted = { jitless: true } as const;
