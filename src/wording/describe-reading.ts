import type { PlanReport } from "../markdown/lint-plan.ts";
import type { Rule } from "../model/rule.ts";
import { countOf, shorten } from "../model/text.ts";

/** Rules about parts of a plan that may have another meaning than intended. */
const misreading: ReadonlySet<Rule> = new Set<Rule>([
  "no-tasks",
  "near-miss-task",
  "heading-task",
  "stray-box",
  "open-fence",
  "open-command",
]);
const longestTitle = 60;

interface Reading {
  readonly line: string;
  /** Lines that list the tasks to delegate; null if the reading of the plan is not in doubt. */
  readonly named: readonly string[] | null;
}

/**
 * Describe how a plan is read. If the reading may differ from the intention, also describe what would be delegated.
 *
 * @param most Maximum number of named tasks.
 */
export function describeReading(
  { problems, dialect, delegated, finished }: Omit<PlanReport, "done">,
  most: number,
): Reading {
  const known = dialect === "checklist" ? "a checklist: no other dialect fits" : `a plan of ${dialect}`;
  const rest = finished ? ": every task is done" : "";
  const line = `Read as ${known}; ${countOf(delegated.length, "task", "tasks")} to be delegated${rest}`;
  if (!problems.some(({ rule }) => misreading.has(rule))) return { line, named: null };
  const named = delegated.slice(0, most).map(({ id, title }) => `${id} ${shorten(title, longestTitle)}`);
  const more = delegated.length - named.length;
  return { line, named: more > 0 ? [...named, `and ${more} more`] : named };
}
