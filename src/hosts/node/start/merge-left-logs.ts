import { memberLogsIn } from "../../../adapters/documents/progress-log.ts";
import type { RunMemory } from "../../../effects/run-memory.ts";
import type { Plan } from "../../../model/plan.ts";
import { memberIn, progressName } from "../../../model/progress-name.ts";
import type { Task } from "../../../model/task.ts";
import type { TaskId } from "../../../model/task-id.ts";
import type { Start } from "./start.ts";

/**
 * Merge logs of batch members that no batch of this run will merge: those of another coordinator, which may name tasks
 * by their index, and those of tasks that a person has done or the run has left out.
 *
 * @param batch Members of the batch that the run goes on in the middle of; empty when there is none.
 */
export async function mergeLeftLogs(
  { spec, documents, origin }: Pick<Start, "spec" | "documents" | "origin">,
  { tasks }: Plan,
  memory: RunMemory,
  batch: readonly TaskId[],
): Promise<void> {
  const logs = memberLogsIn(spec.folder);
  if (logs.length === 0) return;
  const isAwaited = ({ id, done }: Task): boolean =>
    batch.includes(id) || memory.unlogged().has(id) || (!done && !memory.skipped().has(id));
  const taskOf = new Map(tasks.map((task) => [progressName(task.id), task]));
  const members = logs.flatMap((name) => {
    const task = taskOf.get(name);
    if (task !== undefined) return !origin.fresh && isAwaited(task) ? [] : [task.id];
    return memberIn(name) ?? [];
  });
  const doneBefore = tasks.filter(({ id, done }) => done && !memory.isAccepted(id)).map(({ id }) => id);
  await documents.merge(members, new Set(doneBefore));
}
