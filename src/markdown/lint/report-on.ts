import type { Dialect, Plan } from "../../model/plan.ts";
import type { Problem } from "../../model/rule.ts";
import type { Task } from "../../model/task.ts";
import { splitLines } from "../text/line-ending.ts";

/** What was found in a plan, what is to be done apart from what is done. */
export interface PlanReport {
  readonly problems: readonly Problem[];
  /** Warnings about tasks that are done. */
  readonly done: readonly Problem[];
  /** Told from the whole plan. */
  readonly dialect: Dialect;
  /** Open tasks that a run would delegate. */
  readonly delegated: readonly Pick<Task, "id" | "title" | "line">[];
}

/**
 * Tell warnings about done tasks from all other problems. An error is never among them: a run is refused for it.
 *
 * @param optional Whether a run would delegate what its author calls optional.
 */
export function reportOn(
  problems: readonly Problem[],
  { plan, text }: { readonly plan: Plan; readonly text: string },
  optional = false,
): PlanReport {
  const lines = new Map<number, boolean>();
  // What stands in another task comes behind it.
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
  return { ...told, dialect: plan.dialect, delegated };
}
