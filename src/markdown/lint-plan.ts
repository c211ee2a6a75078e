import type { Plan } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import { roleOf, type Task, type TaskFields } from "../model/task.ts";
import { readVerify } from "./read-verify.ts";

const labels: Readonly<Record<keyof TaskFields, string>> = {
  do: "Do",
  files: "Files",
  doneWhen: "Done when",
  verify: "Verify",
  commit: "Commit",
};

/** Everything there is to say about a plan, by line: what a run refuses, and what its author should know. */
export function lintPlan(plan: Plan): Problem[] {
  // A plain checklist has no fields to be missing.
  const hasFields = plan.tasks.some(({ fields }) => Object.keys(fields).length > 0);
  const problems = plan.tasks.flatMap((task) => [...(hasFields ? missingFields(task) : []), ...unrunnable(task)]);
  return [...plan.problems, ...problems].sort((a, b) => a.line - b.line);
}

function missingFields(task: Task): Problem[] {
  const missing = Object.entries(labels)
    .filter(([key]) => !(key in task.fields) && !(key === "files" && roleOf(task) === "verifier"))
    .map(([, label]) => label);
  if (missing.length === 0) return [];
  return [
    {
      rule: "missing-field",
      severity: "warning",
      line: task.line,
      message: `Task \`${task.id}\` has no ${missing.join(", ")}`,
      hint: "Add a bullet below the task for each, e.g. `  - **Verify**: npm test`.",
    },
  ];
}

function unrunnable(task: Task): Problem[] {
  if (task.fields.verify === undefined) return [];
  const verify = readVerify(task.fields.verify);
  if (verify.kind === "command") return [];
  return [
    {
      rule: "unrunnable-verify",
      severity: "warning",
      line: task.line,
      message: `The Verify of task \`${task.id}\` cannot be run: ${verify.reason}`,
      hint: "Write one command in a code span or a fence, and what to expect under Done when.",
    },
  ];
}
