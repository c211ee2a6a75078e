import type { Task, TaskId } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** What has passed. */
interface Pass {
  readonly task: Pick<Task, "id" | "title">;
  readonly commit: string | null;
  readonly fixes: readonly TaskId[];
  readonly durable?: boolean;
}

/** Write the lines of a task that passed into the progress log: that it is done, and what became of its fixes. */
export async function logPass(
  { documents, attempts }: Pick<WholePorts, "documents" | "attempts">,
  { task, commit, fixes, durable = true }: Pass,
): Promise<void> {
  await documents.append({ kind: "completed", task: task.id, title: task.title, commit }, { durable });
  const superseded = [...attempts.superseded().keys()];
  await documents.append({ kind: "fixes", task: task.id, fixes, superseded, final: "PASS" }, { durable });
}
