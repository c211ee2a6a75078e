import type { PlanReport } from "../markdown/lint-plan.ts";
import type { Rule } from "../model/rule.ts";
import { clamp, countOf } from "../model/text.ts";

/** Rules of what is not read as somebody may have meant it. */
const misreading: ReadonlySet<Rule> = new Set<Rule>([
  "no-tasks",
  "near-miss-task",
  "heading-task",
  "stray-box",
  "open-fence",
  "open-command",
]);
const longestTitle = 60;

/** As what a plan is read. */
interface Reading {
  /** Its dialect, and how many tasks would be delegated. */
  readonly line: string;
  /** The first of these tasks, and how many more there are; null where all is read as it is meant. */
  readonly named: readonly string[] | null;
}

/**
 * Tell as what a plan is read, and where that may not be what is meant, what would be delegated.
 *
 * @param most Tasks that are named.
 */
export function tellReading({ problems, dialect, delegated }: Omit<PlanReport, "done">, most: number): Reading {
  const known = dialect === "checklist" ? "a checklist: no dialect fits, or several do" : `a plan of ${dialect}`;
  const line = `Read as ${known}; ${countOf(delegated.length, "task", "tasks")} to be delegated`;
  if (!problems.some(({ rule }) => misreading.has(rule))) return { line, named: null };
  const named = delegated.slice(0, most).map(({ id, title }) => `${id} ${clamp(title, longestTitle)}`);
  const more = delegated.length - named.length;
  return { line, named: more > 0 ? [...named, `and ${more} more`] : named };
}
