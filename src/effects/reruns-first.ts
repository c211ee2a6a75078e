import { verifyToRerun, withCheck } from "../markdown/tasks/read-verify.ts";
import type { TaskId } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Tells of a planned task whether the next start runs its Verify first, for a person who has fixed it. */
export async function rerunsFirst({
  attempts,
  check,
  plan,
}: Pick<WholePorts, "attempts" | "check" | "plan">): Promise<(root: TaskId) => boolean> {
  const { tasks } = (await plan.known()).plan;
  return (root) =>
    tasks.some((task) => {
      const verify = task.id === root ? verifyToRerun(withCheck(task, check)) : null;
      return verify !== null && attempts.hasFailed(root, verify.command);
    });
}
