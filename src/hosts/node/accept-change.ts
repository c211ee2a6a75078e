import { sameAgain } from "../../model/command-line.ts";
import { InputError } from "../../model/errors.ts";
import { lookAtPlan } from "../../model/look-at-plan.ts";
import type { Plan } from "../../model/plan.ts";
import type { TaskId } from "../../model/task-id.ts";
import { judgeCheckmarks } from "../../recover/judge-checkmarks.ts";
import { isAccepted, shortHash } from "./agree.ts";
import type { Start } from "./start.ts";

/**
 * What others changed in the open tasks of the plan, beside boxes; null when nothing.
 *
 * @param own The tasks that were being worked on: their executors may have written into their blocks.
 */
export function describeChange(before: Plan, after: Plan, own: ReadonlySet<TaskId>): string | null {
  const [id = "", ...beside] = own;
  const result = judgeCheckmarks({ task: { id, markers: [] }, beside, before, after, requireExecutorTick: false });
  return result.kind === "undecided" ? result.reason : null;
}

/**
 * Make sure that a person takes the plan as it stands.
 *
 * @param found Its text.
 * @param keptAt Where it is kept as it was, from the folder of the spec.
 * @throws {InputError} `plan-changed`
 */
export async function acceptChange(
  change: string,
  found: string,
  { options, address }: Pick<Start, "options" | "address">,
  keptAt: string | null,
): Promise<void> {
  const text = "The plan was changed while the run was not looking.";
  const hash = shortHash("plan", found);
  if (await isAccepted({ text, ask: "Go on with it?", items: [change], hash }, options)) return;
  throw new InputError(`Cannot go on, the plan was changed during the run: ${change}`, {
    code: "plan-changed",
    hint: lookAtPlan(`. To accept its text as it stands: ${sameAgain(address, "--accept", hash)}`, keptAt),
  });
}
