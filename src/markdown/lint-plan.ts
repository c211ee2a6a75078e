import type { Plan } from "../model/plan.ts";
import type { Problem } from "../model/rule.ts";
import { applySeverities, type Severities } from "./lint/apply-severities.ts";
import { findMissingFields } from "./lint/find-missing-fields.ts";
import { findNearMissMarkers } from "./lint/find-near-miss-markers.ts";
import { findNumberingProblems } from "./lint/find-numbering-problems.ts";
import { findPrProblem } from "./lint/find-pr-problem.ts";
import { findSharedFiles } from "./lint/find-shared-files.ts";
import { findStrayBoxes } from "./lint/find-stray-boxes.ts";
import { findUnknownDependencies } from "./lint/find-unknown-dependencies.ts";
import { findVerifyProblems } from "./lint/find-verify-problems.ts";
import { readPlan } from "./read-plan.ts";

export interface LintOptions {
  /** How much problems weigh, by rule (as docs/formats.md lists them by default). */
  readonly severities?: Severities;
  /** What a plan that is given already read was read from; without it neither stray boxes nor phases without tasks are found. */
  readonly text?: string;
}

/**
 * Everything there is to say about a plan, by line: what a run refuses, and what its author should know. What only a
 * machine can tell, such as whether a program is there, `fixpoint lint` adds.
 *
 * @param plan A `tasks.md`, or what `readPlan` made of it.
 * @throws {InputError}
 *   `severity-fixed` when a rule of which a run refuses plans is set to less than an error; `severity-unknown`.
 * @see docs/formats.md
 */
export function lintPlan(plan: string | Plan, options: LintOptions = {}): Problem[] {
  const read = typeof plan === "string" ? readPlan(plan) : plan;
  const text = typeof plan === "string" ? plan : options.text;
  const problems = [
    ...read.problems,
    ...findNearMissMarkers(read.tasks),
    ...findMissingFields(read),
    ...findNumberingProblems(read.tasks),
    ...findVerifyProblems(read.tasks),
    ...findSharedFiles(read.tasks),
    ...(text === undefined
      ? []
      : [...findStrayBoxes(text, read), ...findUnknownDependencies(text, read.tasks), ...findPrProblem(text, read)]),
  ];
  return applySeverities(problems, options.severities ?? {}).sort((a, b) => a.line - b.line);
}
