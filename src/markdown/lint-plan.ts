import { InputError } from "../model/errors.ts";
import type { Dialect, Plan } from "../model/plan.ts";
import { isRefused, levels, type Problem, type Rule, type RuleLevel, rules } from "../model/rule.ts";
import type { Task } from "../model/task.ts";
import { readPlan } from "./document/plan-document.ts";
import { findPrProblem } from "./find-pr-phase.ts";
import { findMissingFields, findNearMissMarkers, findStrayBoxes } from "./lint/find-form-problems.ts";
import { findNumberingProblems, findUnknownDependencies } from "./lint/find-order-problems.ts";
import { findSharedFiles } from "./lint/find-shared-files.ts";
import { findVerifyProblems } from "./lint/find-verify-problems.ts";
import { splitLines } from "./text/line-ending.ts";

export interface LintOptions {
  /** Severity by rule; defaults as listed in docs/formats.md. */
  readonly severities?: Severities;
  /**
   * Text of the plan, if the plan is given as the result of `readPlan`. Without the text, rules that need it are
   * skipped, such as the rule for stray boxes.
   */
  readonly text?: string;
}

/**
 * List all problems of a plan by line: those for which a run refuses it, and warnings for its author. `fixpoint lint`
 * adds problems that depend on the machine, such as missing programs.
 *
 * @param plan A `tasks.md`, or the result of `readPlan`.
 * @throws {InputError} `severity-fixed` if a lower severity is given to a rule whose problems make a run refuse the
 * plan; `severity-unknown`.
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

export type Severities = Readonly<Partial<Record<Rule, RuleLevel>>>;

/**
 * Set the severity of problems, and drop the problems of rules that are off.
 *
 * @throws {InputError} `severity-fixed`, `severity-unknown`
 */
export function applySeverities(problems: readonly Problem[], severities: Severities): Problem[] {
  checkSeverities(severities);
  return problems.flatMap((problem) => {
    const level = severities[problem.rule] ?? problem.severity;
    return level === "off" ? [] : [{ ...problem, severity: level }];
  });
}

function checkSeverities(severities: Severities): void {
  for (const [rule, level] of Object.entries(severities) as [Rule, RuleLevel][]) {
    if (!Object.hasOwn(rules, rule) || !levels.includes(level)) {
      throw new InputError(
        `Cannot set rule \`${rule}\` to \`${level}\`, expected a known rule, and one of ${levels.join(", ")}`,
        {
          code: "severity-unknown",
          hint: `Rules are ${Object.keys(rules).join(", ")}.`,
        },
      );
    }
    if (level === "error" || !isRefused(rule)) continue;
    throw new InputError(`Cannot set rule \`${rule}\` to \`${level}\`, expected \`error\``, {
      code: "severity-fixed",
      hint: "A run refuses a plan with this problem",
    });
  }
}

/** Problems of a plan: `done` has the warnings about done tasks, `problems` has all other problems. */
export interface PlanReport {
  readonly problems: readonly Problem[];
  readonly done: readonly Problem[];
  /** Recognized from the whole plan. */
  readonly dialect: Dialect;
  /** Open tasks that a run would delegate. */
  readonly delegated: readonly Pick<Task, "id" | "title" | "line">[];
  /** Whether there are tasks, and all are done. */
  readonly finished: boolean;
}

/**
 * Separate warnings about done tasks from all other problems. Errors about done tasks are not separated, since a run
 * refuses a plan with errors.
 *
 * @param optional Whether a run would delegate optional tasks.
 */
export function reportOn(
  problems: readonly Problem[],
  { plan, text }: { readonly plan: Plan; readonly text: string },
  optional = false,
): PlanReport {
  const lines = new Map<number, boolean>();
  // A nested task comes after its parent, so its lines override those of the parent.
  for (const { line, start, end, done } of plan.tasks) {
    const { length } = splitLines(text.slice(start, end).trimEnd());
    for (let at = line; at < line + length; at += 1) lines.set(at, done);
  }
  const isDone = ({ severity, line }: Problem): boolean => severity === "warning" && lines.get(line) === true;
  const delegated = plan.tasks
    .filter(
      ({ done, isGroup, aside }) =>
        !done && isGroup !== true && (aside === undefined || (aside === "optional" && optional)),
    )
    .map(({ id, title, line }) => ({ id, title, line }));
  const told = { problems: problems.filter((one) => !isDone(one)), done: problems.filter(isDone) };
  const finished = plan.tasks.length > 0 && plan.tasks.every(({ done, isGroup }) => done || isGroup === true);
  return { ...told, dialect: plan.dialect, delegated, finished };
}
