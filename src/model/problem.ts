import { type Rule, rules, type Severity } from "./rule.ts";

/** Something a plan says that a run cannot follow, or that its author should know. */
export interface Problem {
  readonly rule: Rule;
  /** An error of a plan as it is read stops a run before it starts; a warning does not. */
  readonly severity: Severity;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
  /** One sentence on what to do. */
  readonly hint: string;
}

/** A problem as its rule weighs it. */
export const lintProblem = (rule: Rule, line: number, message: string, hint: string): Problem => ({
  rule,
  severity: rules[rule].severity,
  line,
  message,
  hint,
});
