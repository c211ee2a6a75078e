import { readPaths } from "../markdown/lint/read-paths.ts";
import type { Task } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Commit what accepted attempts have left in the workspace, under the tasks' own messages. May run twice: the second
 * time there is nothing left.
 *
 * @returns The abbreviated hash; null when there was nothing to commit.
 */
export async function commitWork({ git }: Pick<WholePorts, "git">, tasks: readonly Task[]): Promise<string | null> {
  const [first, ...others] = tasks.map(messageOf);
  if (first === undefined) return null;
  const named = tasks.flatMap(({ fields }) => readPaths(fields.files ?? ""));
  return (await git?.commit([first, ...others].join("\n\n"), "work", named)) ?? null;
}

/** The Commit message of a task, else its title. */
function messageOf({ id, title, fields }: Task): string {
  const message = fields.commit?.replaceAll("`", "").trim() ?? "";
  return message === "" ? `${id} ${title}` : message;
}
