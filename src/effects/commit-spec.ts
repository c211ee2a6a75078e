import type { TaskId } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Commit only the files of the spec, after tasks have passed. */
export async function commitSpec(
  { git, plan }: Pick<WholePorts, "git" | "plan">,
  tasks: readonly TaskId[],
): Promise<void> {
  const what = tasks.length === 1 ? `task ${tasks[0]}` : `tasks ${tasks.join(", ")}`;
  await plan.exclusively(async () => {
    await git?.commit(`chore(spec): update progress for ${what}`);
  });
}
