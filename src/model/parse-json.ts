import type { ZodError } from "zod";

/** Make zod validate without compiling the schema first. Compiling pays off only for thousands of values. */
export const interpreted = { jitless: true } as const;

/** The validation issues of a value in one line, with their places. */
export const renderIssues = ({ issues }: Pick<ZodError, "issues">): string =>
  issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");

/** Parse JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
