import { listFindings } from "./finding-list.ts";
import { withoutCounts } from "./plain-text.ts";
import type { Reading } from "./reader.ts";

/** What a linter says of a place. */
interface LintProblem {
  readonly isError: boolean;
  readonly file: string;
  readonly line: number | null;
  readonly rule: string;
  readonly message: string;
}

/** Problems of which only errors count, unless the linter failed for its warnings. */
export interface LintList {
  readonly add: (problem: LintProblem) => void;
  readonly errors: () => number;
  /** @param isFailedByWarnings Whether warnings are taken where there is no error. */
  readonly end: (isFailedByWarnings: boolean) => Reading | null;
}

export function listProblems(): LintList {
  const errors = listFindings();
  const warnings = listFindings();
  let count = 0;
  return {
    add: ({ isError, file, line, rule, message }) => {
      if (isError) count += 1;
      // ESLint leaves the full stop out where it prints for people.
      const said = withoutCounts(message.trim()).replace(/(?<!\.)\.$/, "");
      const id = `${file}: ${[rule, said].filter((part) => part !== "").join(" ")}`;
      (isError ? errors : warnings).addEach({ id, file, line, message: message.trim() });
    },
    errors: () => count,
    end: (isFailedByWarnings) => (count > 0 || !isFailedByWarnings ? errors.end() : warnings.end()),
  };
}
