import type { TaskId } from "../model/task-id.ts";
import type { Documents } from "../ports/documents.ts";
import { editAgain } from "./edit-again.ts";
import type { KnownPlan } from "./known-plan.ts";

/**
 * Put every box back to what the coordinator knows: a tick that nobody accepted counts for nothing. Texts stay as they
 * are.
 *
 * @param standing Tasks whose boxes may stand as their executors left them.
 */
export async function takeTicksBack(
  { documents, plan }: { readonly documents: Documents; readonly plan: KnownPlan },
  standing: ReadonlySet<TaskId> = new Set(),
): Promise<void> {
  const { known, found } = await plan.read();
  if (known === found) return;
  const done = new Map(known.plan.tasks.map((task) => [task.id, task.done]));
  const { tasks } = found.plan;
  for (const { id, done: ticked } of tasks) {
    const before = done.get(id) ?? false;
    if (ticked === before || standing.has(id)) continue;
    // Of two tasks with one id nobody can say which was ticked.
    if (tasks.filter((task) => task.id === id).length === 1) await editAgain(() => documents.tick(id, before));
  }
}
