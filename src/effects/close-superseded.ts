import type { TaskId } from "../model/task-id.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Close fix tasks that others have taken the place of, now that what they were made for is done: each is ticked, with a
 * note in its block. May run twice: what is closed stays as it is.
 *
 * @param repaired The task they were made for.
 */
export async function closeSuperseded(
  { attempts, plan, documents }: Pick<WholePorts, "attempts" | "plan" | "documents">,
  repaired: TaskId,
): Promise<void> {
  const superseded = attempts.superseded();
  if (superseded.size === 0) return;
  const { tasks } = (await plan.known()).plan;
  for (const { id, fixOf, done } of tasks) {
    const by = superseded.get(id);
    if (by === undefined || done || fixOf !== repaired) continue;
    await attempts.noteClosed(id, by);
    await plan.close(id, by);
    // Fixes of its own were made for what it had brought.
    await closeSuperseded({ attempts, plan, documents }, id);
  }
}
