import type { ZodError } from "zod";

/**
 * Makes zod read a value without compiling a parser for the schema first. Compiling pays only for a schema that reads
 * thousands of values.
 */
export const interpreted = { jitless: true } as const;

/** What of a value does not fit its form, and where, in one line. */
export const tellIssues = ({ issues }: Pick<ZodError, "issues">): string =>
  issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
