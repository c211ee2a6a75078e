import type { Task, TaskId } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** A passed task. */
interface Pass {
  readonly task: Pick<Task, "id" | "title">;
  readonly commit: string | null;
  readonly fixes: readonly TaskId[];
  readonly durable?: boolean;
}

/** Log a passed task and its fixes in the progress log. */
export async function logPass(
  { documents, attempts }: Pick<WholePorts, "documents" | "attempts">,
  { task, commit, fixes, durable = true }: Pass,
): Promise<void> {
  await documents.append({ kind: "completed", task: task.id, title: task.title, commit }, { durable });
  const superseded = [...attempts.superseded().keys()];
  await documents.append({ kind: "fixes", task: task.id, fixes, superseded, final: "PASS" }, { durable });
}
