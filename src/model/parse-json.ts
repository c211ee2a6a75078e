import type { ZodError } from "zod";

/** Let zod validate without compiling the schema: compiling is faster only for thousands of values. */
export const interpreted = { jitless: true } as const;

export const renderIssues = ({ issues }: Pick<ZodError, "issues">): string =>
  issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
