import type { Plan } from "../../model/plan.ts";
import { lintProblem, type Problem } from "../../model/rule.ts";
import type { Task, TaskFields } from "../../model/task.ts";
import { isGeneratedId } from "../tasks/generated-id.ts";
import { findOpenCommands } from "./find-open-command.ts";

/** Fields that say what is to be done and what shows it, each with an example. What writes nothing needs no Files, nor a Commit. */
const labels = {
  do: ["Do", "Write the parser"],
  doneWhen: ["Done when", "The parser reads the sample"],
  verify: ["Verify", "npm test"],
} as const satisfies Partial<Record<keyof TaskFields, readonly [label: string, example: string]>>;
type FieldName = keyof typeof labels;
const names = Object.keys(labels) as FieldName[];

/** The fields that a task lacks and another task of the plan has; and that no task has a Verify. */
export function findMissingFields({ dialect, tasks }: Pick<Plan, "dialect" | "tasks">): Problem[] {
  const used = names.filter((name) => tasks.some(({ fields }) => fields[name] !== undefined));
  const own = tasks.filter(({ aside, isGroup }) => aside === undefined && isGroup !== true);
  // A box without an id is no task of such a plan: what has made it one is told by other rules.
  const cut = new Set(findOpenCommands(own).map(({ line }) => line));
  const named = dialect === "ralph-specum" ? own.filter(({ id, line }) => !isGeneratedId(id) && !cut.has(line)) : [];
  const missing = named.flatMap((task) => missingFields(task, used));
  const first = own.find(({ done }) => !done) ?? tasks[0];
  return first === undefined || used.includes("verify") ? missing : [noVerify(first.line), ...missing];
}

function missingFields(task: Task, used: readonly FieldName[]): Problem[] {
  const missing = used.filter((name) => task.fields[name] === undefined);
  const [first] = missing;
  if (first === undefined) return [];
  const [label, example] = labels[first];
  return [
    lintProblem(
      "missing-field",
      task.line,
      `Task \`${task.id}\` has no ${missing.map((name) => labels[name][0]).join(", ")}, as other tasks have`,
      missing.length === 1
        ? `Add a line below the task, such as \`  - **${label}**: ${example}\`.`
        : `Add a line below the task for each, such as \`  - **${label}**: ${example}\`.`,
    ),
  ];
}

const noVerify = (line: number): Problem =>
  lintProblem(
    "no-verify",
    line,
    "No task has a Verify: a task counts as done when its executor says so",
    "Add a command below each task that fails until the task is done, such as `  - **Verify**: npm test`.",
  );
