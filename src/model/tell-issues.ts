import type { ZodError } from "zod";

/** What of a value does not fit its form, and where, in one line. */
export const tellIssues = ({ issues }: Pick<ZodError, "issues">): string =>
  issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
