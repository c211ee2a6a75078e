import { verifyToRerun, withCheck } from "../markdown/tasks/read-verify.ts";
import type { Plan } from "../model/plan.ts";
import type { TaskId } from "../model/task.ts";
import type { Attempts } from "../ports/attempts.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Return a predicate: whether the next start begins with the Verify of a planned task, since a person may have fixed
 * the task.
 */
export async function rerunsFirst({
  attempts,
  check,
  plan,
}: Pick<WholePorts, "attempts" | "check" | "plan">): Promise<(root: TaskId) => boolean> {
  return rerunsFirstOf((await plan.known()).plan, check, attempts);
}

/** `rerunsFirst` for a plan that is already read. */
export const rerunsFirstOf =
  ({ tasks }: Plan, check: WholePorts["check"], { hasFailed }: Pick<Attempts, "hasFailed">) =>
  (root: TaskId): boolean =>
    tasks.some((task) => {
      const verify = task.id === root ? verifyToRerun(withCheck(task, check)) : null;
      return verify !== null && hasFailed(root, verify.command);
    });
