import type { Plan } from "../../model/plan.ts";
import { lintProblem, type Problem } from "../../model/rule.ts";
import { roleOf, type Task, type TaskFields } from "../../model/task.ts";

type FieldName = keyof TaskFields;

/** Each field with an example of it. */
const labels: Readonly<Record<FieldName, readonly [label: string, example: string]>> = {
  do: ["Do", "Write the parser"],
  files: ["Files", "src/parser.ts"],
  doneWhen: ["Done when", "The parser reads the sample"],
  verify: ["Verify", "npm test"],
  commit: ["Commit", "feat(parser): add the parser"],
};
const names = Object.keys(labels) as FieldName[];

/** The fields that a task lacks and another task of the plan has; and that no task has a Verify. */
export function findMissingFields({ dialect, tasks }: Pick<Plan, "dialect" | "tasks">): Problem[] {
  const used = names.filter((name) => tasks.some(({ fields }) => fields[name] !== undefined));
  const missing = dialect === "ralph-specum" ? tasks.flatMap((task) => missingFields(task, used)) : [];
  const [first] = tasks;
  return first === undefined || used.includes("verify") ? missing : [noVerify(first.line), ...missing];
}

function missingFields(task: Task, used: readonly FieldName[]): Problem[] {
  const missing = used.filter(
    (name) => task.fields[name] === undefined && !(name === "files" && roleOf(task) === "verifier"),
  );
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
