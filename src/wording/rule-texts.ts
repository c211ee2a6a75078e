import type { Rule } from "../model/rule.ts";

/** When each rule of `lint` applies. */
export const ruleTexts: Readonly<Record<Rule, string>> = {
  "no-tasks": "the plan has no task, or most of its tasks are headings without boxes",
  "duplicate-id": "two open tasks have the same id",
  "circular-order": "open tasks depend on each other in a circle",
  "fix-without-original": "there is a `[FIX x]`, but no task `x`",
  "open-command":
    "a field of an open task has code or a here-document that does not end within the field, so that the following lines are outside of the task",
  "near-miss-task": "a line looks like a task but is not read as one, such as `-[x] 1.5`",
  "near-miss-marker": "a marker is misspelt, or in the wrong place in the title, such as `1.5 Run it [verify]`",
  "heading-task": "a heading such as `### Task 1.6`, which is not read as a task",
  "open-fence": "a fence is never closed",
  "stray-box": "a box outside of every task, as in a fence, a comment, a quote, a table or a line of text",
  "number-order": "numbers are out of order, such as 1.4 after 1.5 under one heading",
  "unreachable-fix": "the id of a fix is not the id of its original with a number added, such as `4.4.1 [FIX 1.1]`",
  "misplaced-fix": "there are other tasks between a fix and its original",
  "unknown-dependency": "an open task depends on something that is not a task of the plan, such as `(depends on T099)`",
  "shared-file": "the Files of two `[P]` tasks of one batch name the same path",
  "missing-field":
    "a task lacks a Do, Done when or Verify that other tasks of the plan have, in a plan of ralph-specum",
  "pr-lifecycle":
    "a phase is about a pull request, such as `Phase 5: PR Lifecycle`: a run does its tasks, but opens no pull request without `--pull-request`",
  "no-verify": "no task of the plan has a Verify",
  "unrunnable-verify": "a Verify cannot be run, because it is not a command",
  "broken-verify":
    "the Verify of an open task cannot work on this machine: the program is missing, the syntax is wrong, or it is too long",
  "prose-verify":
    "a Verify is a sentence (`make test passes`) or starts with a shell prompt (`$ npm test`); a run does not begin while such a task is open",
  "endless-verify": "a Verify watches, serves or follows: it does not end by itself",
  "inverted-verify": "a Verify passes when a search finds something, but the task expects no match",
  "vacuous-verify":
    "a Verify exits with 0 whatever the task did, such as `… || true`, or its last pipe hides the exit code, such as `… | tail`",
  "red-verify": "the Verify of a `[RED]` task passes only if its tests pass",
};
