import { lintProblem, type Problem } from "../../model/rule.ts";
import type { Task } from "../../model/task.ts";
import { splitLines } from "../text/line-ending.ts";

/**
 * The fields of open tasks that end within a command: a list item ends at a heading or a rule in the middle of it, so that
 * its other lines, and the boxes among them, belong to nobody or to another task.
 */
export const findOpenCommands = (tasks: readonly Task[]): Problem[] =>
  tasks.flatMap(({ id, done, line, fields }) => {
    const open = done ? undefined : Object.values(fields).find((value) => endsInCommand(value));
    return open === undefined ? [] : [openCommand(id, line)];
  });

/** What makes a command span lines, and is no slip of the pen. */
const begun = /\$\(|<</;
const heredoc = /<<-?[ \t]{0,4}(['"]?)(\w{1,40})\1[ \t]*$/;

function endsInCommand(value: string): boolean {
  if (!value.includes("<<") && !value.includes("$(")) return false;
  const at = openSpan(value);
  if (at !== -1) return begun.test(value.slice(at));
  const lines = splitLines(value);
  const ends = new Map(lines.map((line, index) => [line.trim(), index]));
  return lines.some((line, index) => {
    const word = heredoc.exec(line)?.[2];
    return word !== undefined && (ends.get(word) ?? -1) < index;
  });
}

/** Where code begins that no marks of the same length close; -1 where none does. */
function openSpan(value: string): number {
  let marks: string | null = null;
  let begin = -1;
  for (const { 0: run, index } of value.matchAll(/`+/g)) {
    if (marks === null) {
      marks = run;
      begin = index;
    } else if (run === marks) marks = null;
  }
  return marks === null ? -1 : begin;
}

const openCommand = (id: string, line: number): Problem =>
  lintProblem(
    "open-command",
    line,
    `A command of task \`${id}\` does not end on its lines: what follows has left the task`,
    "Indent all of its lines as far as the field, or put it into a file that the task names.",
  );
