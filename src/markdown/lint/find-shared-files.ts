import { lintProblem, type Problem } from "../../model/rule.ts";
import { roleOf, type Task, type TaskId } from "../../model/task.ts";
import { readPaths } from "./read-paths.ts";

/** Files that two tasks of one batch name: consecutive `[P]` tasks of one phase, whatever fixes stand between them. */
export function findSharedFiles(tasks: readonly Task[]): Problem[] {
  const problems: Problem[] = [];
  let owners = new Map<string, TaskId>();
  let phase: string | null | undefined;
  for (const task of tasks) {
    if (task.fixOf !== null) continue;
    if (task.phase !== phase || !isParallel(task)) owners = new Map();
    phase = task.phase;
    if (!isParallel(task)) continue;
    for (const [owner, paths] of sharedPaths(task, owners)) problems.push(sharedFile(task, owner, paths));
  }
  return problems;
}

const isParallel = (task: Task): boolean => task.markers.includes("P") && roleOf(task) === "executor";

/** The paths of a task by the first task that named them; those of nobody become its own. */
function sharedPaths({ id, fields }: Task, owners: Map<string, TaskId>): Map<TaskId, string[]> {
  const shared = new Map<TaskId, string[]>();
  for (const path of readPaths(fields.files ?? "")) {
    const owner = owners.get(path);
    if (owner === undefined) owners.set(path, id);
    else if (!shared.get(owner)?.push(path)) shared.set(owner, [path]);
  }
  return shared;
}

const sharedFile = ({ id, line }: Task, owner: TaskId, paths: readonly string[]): Problem =>
  lintProblem(
    "shared-file",
    line,
    `Tasks \`${owner}\` and \`${id}\` are both marked [P] and name ${paths.map((path) => `\`${path}\``).join(", ")}`,
    "Take [P] from one of them: tasks that are done at the same time must not write the same file.",
  );
