import type { Plan } from "../../model/plan.ts";
import { type Problem, problemOf } from "../../model/problem.ts";
import { roleOf, type Task, type TaskFields } from "../../model/task.ts";

const labels: Readonly<Record<keyof TaskFields, string>> = {
  do: "Do",
  files: "Files",
  doneWhen: "Done when",
  verify: "Verify",
  commit: "Commit",
};

/** The fields that tasks lack, in a plan that has them. */
export function findMissingFields({ dialect, tasks }: Pick<Plan, "dialect" | "tasks">): Problem[] {
  return dialect === "ralph-specum" ? tasks.flatMap(missingFields) : [];
}

function missingFields(task: Task): Problem[] {
  const missing = Object.entries(labels)
    .filter(([key]) => !(key in task.fields) && !(key === "files" && roleOf(task) === "verifier"))
    .map(([, label]) => label);
  if (missing.length === 0) return [];
  return [
    problemOf(
      "missing-field",
      task.line,
      `Task \`${task.id}\` has no ${missing.join(", ")}`,
      "Add a bullet below the task for each, e.g. `  - **Verify**: npm test`.",
    ),
  ];
}
