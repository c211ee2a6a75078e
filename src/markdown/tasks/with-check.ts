import type { ProjectCheck } from "../../model/project-check.ts";
import { kindOf, type Task } from "../../model/task.ts";

type Check = ProjectCheck | null | undefined;

/** A task with the Verify that it is judged by: its own, else the command of the project where that runs for each task. */
export const withCheck = (task: Task, check: Check): Task =>
  check?.every === "task" && isBare(task)
    ? { ...task, fields: { ...task.fields, verify: writeCommand(check.command) } }
    : task;

/** Whether a task is judged by the command of the project later, together with others. */
export const isCheckedLater = (task: Task, check: Check): boolean =>
  check != null && check.every !== "task" && isBare(task);

/** What a task is judged by later, its command as it stands in a text; null for nothing. */
export const laterCheck = (task: Task, check: Check): ProjectCheck | null =>
  check != null && isCheckedLater(task, check) ? { ...check, command: writeCommand(check.command) } : null;

/**
 * Whether a task has no check of its own. A fix has that of what it was made for, a goal checks reality, and a group is
 * no work.
 */
const isBare = (task: Task): boolean =>
  task.fields.verify === undefined && task.fixOf === null && task.isGroup !== true && kindOf(task) !== "goal";

/** A command as inline code, or in a fence where it has several lines. */
export function writeCommand(command: string): string {
  const longest = Math.max(0, ...(command.match(/`+/g) ?? []).map((marks) => marks.length));
  if (command.includes("\n")) {
    const fence = "`".repeat(Math.max(3, longest + 1));
    return `${fence}sh\n${command}\n${fence}`;
  }
  const marks = "`".repeat(longest + 1);
  return longest === 0 ? `\`${command}\`` : `${marks} ${command} ${marks}`;
}
