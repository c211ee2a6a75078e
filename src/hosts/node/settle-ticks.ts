import { tasksOf } from "../../markdown/document/find-task.ts";
import type { PlanDocument } from "../../markdown/document/plan-document.ts";
import { tickedIn } from "../../markdown/tick-task.ts";
import { boxChange } from "../../model/box-change.ts";
import { sameAgain } from "../../model/command-line.ts";
import { InputError } from "../../model/errors.ts";
import type { TaskId } from "../../model/task-id.ts";
import type { OpenPlan } from "../../ports/documents.ts";
import { isAccepted, shortHash } from "./agree.ts";
import type { Start } from "./start.ts";

/**
 * The plan as it was left by a start that was killed, with the ticks in it that a person keeps. No verdict explains
 * them, and whether a person or an executor has made them cannot be told, so it is asked; a no takes them back.
 *
 * @param base As it was left.
 * @param explained The tasks that were being worked on, whose executors may tick them, and those that were accepted.
 * @throws {InputError} `ticks-unexplained` when nobody answers
 */
export async function settleTicks(
  base: PlanDocument,
  { plan: found, text: foundText }: OpenPlan,
  explained: ReadonlySet<TaskId>,
  { options, address }: Pick<Start, "options" | "address">,
): Promise<PlanDocument> {
  const ids = found.tasks.map(({ id }) => id);
  const set = (boxChange(base.plan, found)?.set ?? []).filter(
    // Of two tasks with one id nobody can say which was ticked.
    (id) => !explained.has(id) && ids.indexOf(id) === ids.lastIndexOf(id),
  );
  if (set.length === 0) return base;
  const text = "These tasks were ticked about when the run was killed, and no verdict has accepted them.";
  const items = set.map((id) => `task ${id}`);
  const hash = shortHash("ticks", set, foundText);
  if (await isAccepted({ text, ask: "Keep the ticks?", items, hash }, options)) {
    // A task that is new to the plan is in it as it was found.
    return set.filter((id) => tasksOf(base, id).length > 0).reduce((plan, id) => tickedIn(plan, id, true), base);
  }
  if (options.confirm !== undefined) return base;
  throw new InputError(`Cannot go on, nobody has accepted what is ticked: ${set.join(", ")}`, {
    code: "ticks-unexplained",
    hint: `Clear the boxes to have it done, or keep them: ${sameAgain(address, "--accept", hash)}`,
  });
}
