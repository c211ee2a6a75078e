import { kindOf, type Task } from "../../model/task.ts";

/**
 * A task with the Verify that it is judged by: its own, else the command of the project. A fix and a goal have none of the
 * project: the one has that of what it was made for, the other checks reality.
 *
 * @param check Null or undefined where there is none.
 */
export const withCheck = (task: Task, check: string | null | undefined): Task =>
  check == null || task.fields.verify !== undefined || task.fixOf !== null || kindOf(task) === "goal"
    ? task
    : { ...task, fields: { ...task.fields, verify: writeCommand(check) } };

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
