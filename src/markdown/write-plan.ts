import type { NewTask } from "../model/plan-change.ts";
import type { TaskId } from "../model/task.ts";
import { renderNewTask } from "./insert/render-new-task.ts";
import { encodeText } from "./text/encode-text.ts";
import { plainLine } from "./text/plain-line.ts";

const style = {
  ...{ prefix: "", marker: "-", gap: " ", indent: 2, bullet: "-" },
  writeId: (id: TaskId): TaskId => id,
};

const longest = 200;

/** A part of a new plan. */
export interface NewPhase {
  readonly title: string;
  readonly tasks: readonly NewTask[];
}

/** Write a new plan. Texts are untrusted, and become plain text. */
export const writePlan = (title: string, phases: readonly NewPhase[]): string =>
  [
    `# ${plain(title)}`,
    ...phases.flatMap((phase) => [
      `## ${plain(phase.title)}`,
      ...phase.tasks.map((task) => renderNewTask(task, style).lines.join("\n")),
    ]),
  ]
    .join("\n\n")
    .concat("\n");

const plain = (text: string): string => encodeText(plainLine(text, longest), "x ");
