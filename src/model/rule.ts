export type Severity = "error" | "warning";

/**
 * All rules for plans, with their default severity. A run refuses a plan with an error, so the severity `error` cannot
 * be changed.
 */
export const rules = {
  "no-tasks": "error",
  "duplicate-id": "error",
  "circular-order": "error",
  "fix-without-original": "error",
  "open-command": "error",
  "near-miss-task": "warning",
  "near-miss-marker": "warning",
  "heading-task": "warning",
  "open-fence": "warning",
  "stray-box": "warning",
  "number-order": "warning",
  "unreachable-fix": "warning",
  "misplaced-fix": "warning",
  "unknown-dependency": "warning",
  "shared-file": "warning",
  "missing-field": "warning",
  "pr-lifecycle": "warning",
  "no-verify": "warning",
  "unrunnable-verify": "warning",
  "broken-verify": "warning",
  "prose-verify": "warning",
  "endless-verify": "warning",
  "inverted-verify": "warning",
  "vacuous-verify": "warning",
  "red-verify": "warning",
} as const satisfies Record<string, Severity>;

export type Rule = keyof typeof rules;

/** Settings of a rule. */
export const levels = ["off", "warning", "error"] as const;
export type RuleLevel = (typeof levels)[number];

/** Whether a run refuses a plan that breaks the rule. The severity of the rule is then fixed. */
export const isRefused = (rule: Rule): boolean => rules[rule] === "error";

/** A problem that keeps a run from following a plan, or that the plan's author should know. */
export interface Problem {
  readonly rule: Rule;
  /** An error stops a run before it starts; a warning does not. */
  readonly severity: Severity;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
  /** One sentence that says what to do. */
  readonly hint: string;
}

export const lintProblem = (rule: Rule, line: number, message: string, hint: string): Problem => ({
  rule,
  severity: rules[rule],
  line,
  message,
  hint,
});
