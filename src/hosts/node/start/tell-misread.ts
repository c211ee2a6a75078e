import { lintPlan, reportOn } from "../../../markdown/lint-plan.ts";
import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import type { Policy } from "../../../model/policy.ts";
import type { OpenPlan } from "../../../ports/documents.ts";
import { tellReading } from "../../../wording/tell-reading.ts";
import type { StartOptions } from "../start-options.ts";

/** Maximum number of tasks in a notice. */
const mostTasks = 5;

/**
 * Describe how a plan is read, and what is delegated, if `fixpoint lint` doubts that this is intended.
 *
 * @throws {InputError} `severity-fixed`, `severity-unknown`
 */
export function tellMisread(
  opened: OpenPlan,
  { lint = {} }: Pick<StartOptions, "lint">,
  { optional }: Pick<Policy, "optional">,
  address: SpecAddress,
): string[] {
  const problems = lintPlan(opened.plan, { text: opened.text, severities: lint });
  const { line, named } = tellReading(reportOn(problems, opened, optional), mostTasks);
  if (named === null) return [];
  const tasks = named.length === 0 ? "" : `: ${named.join(", ")}`;
  return [`${line}${tasks}. Parts of the plan may be misread: ${commandLine(address, "lint")}`];
}
