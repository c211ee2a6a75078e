interface RuleEntry {
  /** Default severity. Errors make a run refuse the plan, so they cannot be configured. */
  readonly severity: Severity;
  /** When the rule applies, for the documentation. */
  readonly when: string;
}

/** Severity of a problem. */
export type Severity = "error" | "warning";

/** All checks of a plan. */
export const rules = {
  "no-tasks": { severity: "error", when: "the plan has no task" },
  "duplicate-id": { severity: "error", when: "two open tasks have the same id" },
  "circular-order": { severity: "error", when: "open tasks depend on each other in a circle" },
  "fix-without-original": { severity: "error", when: "there is a `[FIX x]`, but no task `x`" },
  "open-command": {
    severity: "error",
    when: "a field of an open task has code or a here-document that does not end within the field, so that the following lines are outside of the task",
  },
  "near-miss-task": {
    severity: "warning",
    when: "a line looks like a task but is not read as one, such as `-[x] 1.5`",
  },
  "near-miss-marker": {
    severity: "warning",
    when: "a marker is misspelt, or in the wrong place in the title, such as `1.5 Run it [verify]`",
  },
  "heading-task": { severity: "warning", when: "a heading such as `### Task 1.6`, which is not read as a task" },
  "open-fence": { severity: "warning", when: "a fence is never closed" },
  "stray-box": {
    severity: "warning",
    when: "a box outside of every task, as in a fence, a comment, a quote, a table or a line of text",
  },
  "number-order": { severity: "warning", when: "numbers are out of order, such as 1.4 after 1.5 under one heading" },
  "unreachable-fix": {
    severity: "warning",
    when: "the id of a fix is not the id of its original with a number added, such as `4.4.1 [FIX 1.1]`",
  },
  "misplaced-fix": { severity: "warning", when: "there are other tasks between a fix and its original" },
  "unknown-dependency": {
    severity: "warning",
    when: "an open task depends on something that is not a task of the plan, such as `(depends on T099)`",
  },
  "shared-file": {
    severity: "warning",
    when: "the Files of two `[P]` tasks of one batch name the same path",
  },
  "missing-field": {
    severity: "warning",
    when: "a task lacks a Do, Done when or Verify that other tasks of the plan have, in a plan of ralph-specum",
  },
  "pr-lifecycle": {
    severity: "warning",
    when: "a phase is about a pull request, such as `Phase 5: PR Lifecycle`: a run does its tasks, but opens no pull request without `--pull-request`",
  },
  "no-verify": { severity: "warning", when: "no task of the plan has a Verify" },
  "unrunnable-verify": { severity: "warning", when: "a Verify cannot be run, because it is not a command" },
  "broken-verify": {
    severity: "warning",
    when: "the Verify of an open task cannot work on this machine: the program is missing, the syntax is wrong, or it is too long",
  },
  "prose-verify": {
    severity: "warning",
    when: "a Verify is a sentence (`make test passes`) or starts with a shell prompt (`$ npm test`); a run does not begin while such a task is open",
  },
  "endless-verify": { severity: "warning", when: "a Verify watches, serves or follows: it does not end by itself" },
  "inverted-verify": {
    severity: "warning",
    when: "a Verify passes when a search finds something, but the task expects no match",
  },
  "vacuous-verify": {
    severity: "warning",
    when: "a Verify exits with 0 whatever the task did, such as `… || true`, or its last pipe hides the exit code, such as `… | tail`",
  },
  "red-verify": { severity: "warning", when: "the Verify of a `[RED]` task passes only if its tests pass" },
} as const satisfies Record<string, RuleEntry>;

/** Name of a rule. */
export type Rule = keyof typeof rules;

/** Settings of a rule. */
export const levels = ["off", "warning", "error"] as const;
export type RuleLevel = (typeof levels)[number];

/** Whether a run refuses plans with this problem; if so, the rule cannot be configured. */
export const isRefused = (rule: Rule): boolean => rules[rule].severity === "error";

/** A problem that keeps a run from following a plan, or that the plan's author should know about. */
export interface Problem {
  readonly rule: Rule;
  /** An error stops a run before it starts; a warning does not. */
  readonly severity: Severity;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
  /** One sentence on what to do. */
  readonly hint: string;
}

/** A problem with its rule's severity. */
export const lintProblem = (rule: Rule, line: number, message: string, hint: string): Problem => ({
  rule,
  severity: rules[rule].severity,
  line,
  message,
  hint,
});
