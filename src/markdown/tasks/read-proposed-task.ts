import type { NewTask } from "../../model/plan-change.ts";
import type { TaskFields } from "../../model/task.ts";
import { findTask } from "../document/find-task.ts";
import { openPlan } from "../document/plan-document.ts";
import { readSibling } from "../insert/read-sibling.ts";
import { renderNewTask } from "../insert/render-new-task.ts";
import { plainLine } from "../text/plain-line.ts";

const labels: Readonly<Record<keyof TaskFields, string>> = {
  do: "Do",
  files: "Files",
  doneWhen: "Done when",
  verify: "Verify",
  commit: "Commit",
};

/**
 * Read one task that an executor proposes: an open one that stands alone, with an id, a title and all five fields, each
 * with text that is left when it is written.
 *
 * @param markdown
 *   Untrusted. What stands around the task is left out.
 * @returns The task, its texts as they came, or why it cannot be taken.
 */
export function readProposedTask(markdown: string): NewTask | { readonly problem: string } {
  const document = openPlan(markdown);
  const { tasks } = document.plan;
  const [task] = tasks;
  if (task === undefined) return { problem: "it holds no task, expected a line `- [ ] <id> <title>`" };
  if (tasks.length > 1) return { problem: `it holds ${tasks.length} tasks, expected one` };
  const { id, markers, title, fields } = task;
  if (document.names.length > 0) return { problem: "its task has no id" };
  if (task.done) return { problem: `task ${id} is ticked` };
  if (markers.some((marker) => /^FIX\b/i.test(marker))) return { problem: `task ${id} has the marker of a fix task` };
  if (plainLine(title, 1) === "") return { problem: `task ${id} has no title` };
  const proposed = { id, markers, title, fields };
  const written = renderNewTask(proposed, readSibling(document, findTask(document, id)).style);
  const missing = Object.entries(labels).filter(([key]) => !(key in written.fields));
  if (missing.length === 0) return proposed;
  return { problem: `task ${id} has no ${missing.map(([, label]) => label).join(", ")}` };
}
