import type { Problem } from "../../model/rule.ts";
import type { Task } from "../../model/task.ts";
import { findingBy } from "../finding.ts";
import { findCircle } from "../tasks/dependencies.ts";
import type { PlacedHeading } from "../tasks/read-blocks.ts";
import { splitLines } from "../text/line-ending.ts";
import type { Chunk } from "./chunk.ts";
import { unreadHeadings } from "./heading-tasks.ts";

const finding = findingBy({
  "no-tasks": (read: number) => [
    read === 0 ? "The plan has no task" : "Most tasks of the plan are headings without boxes",
    "Write tasks as list items with a box, e.g. `- [ ] 1.1 Add the parser`; `fixpoint init --from <file>` reads plans of GSD, and headings such as `### Task 1: Title`.",
  ],
  "duplicate-id": (id: string, lines: readonly number[]) => [
    `Task id \`${id}\` is on lines ${lines.slice(0, -1).join(", ")} and ${lines.at(-1)}`,
    "Give each of the tasks an id of its own.",
  ],
  "circular-order": (circle: readonly string[]) => [
    `Tasks depend on each other in a circle: ${[...circle, circle[0]].join(", ")}`,
    "Remove one of these dependencies.",
  ],
  "fix-without-original": (id: string, fixOf: string) => [
    `Task \`${id}\` is a fix of \`${fixOf}\`, which is not in the plan`,
    `Add task \`${fixOf}\`, or remove the marker \`[FIX ${fixOf}]\`.`,
  ],
  "open-command": (id: string) => [
    `A command of task \`${id}\` does not end within the task: the following lines no longer belong to it`,
    "Indent all lines of the command like the field, or put the command into a file that the task names.",
  ],
  "heading-task": (title: string) => [
    `The heading \`${title}\` is not read as a task`,
    "Write its steps below as list items with a box.",
  ],
  "near-miss-task": () => [
    "This line looks like a task but is not read as one",
    "Write `- [ ] ` with one blank after the bullet, in the box and after it.",
  ],
  "open-fence": () => [
    "This fence is never closed; nothing after it in its block is read",
    "Close the fence with a line that repeats its marks.",
  ],
});

/** List defects that a run cannot handle, and lines that the author may have meant differently, by line. */
export function findProblems(
  chunks: readonly Chunk[],
  tasks: readonly Task[],
  headings: readonly PlacedHeading[],
): Problem[] {
  const unread = unreadHeadings(tasks, headings).map(({ title, line }) => finding("heading-task", line, title));
  return [...taskProblems(tasks, unread.length), ...unread, ...oddities(chunks)].sort((a, b) => a.line - b.line);
}

function taskProblems(tasks: readonly Task[], unread: number): Problem[] {
  const read = tasks.filter(({ aside }) => aside === undefined || (unread === 0 && aside !== "criterion")).length;
  const problems = read < Math.max(unread, 1) ? [finding("no-tasks", 1, read)] : [];
  const lines = new Map(tasks.map(({ id, line }) => [id, line]));
  const open = new Map<string, number[]>();
  for (const { id, done, line } of tasks) {
    if (!done) open.get(id)?.push(line) ?? open.set(id, [line]);
  }
  for (const [id, [first, second, ...more]] of open) {
    if (first !== undefined && second !== undefined)
      problems.push(finding("duplicate-id", second, id, [first, second, ...more]));
  }
  problems.push(...findOpenCommands(tasks));
  const circle = findCircle(tasks);
  if (circle !== null) problems.push(finding("circular-order", lines.get(circle[0] as string) as number, circle));
  for (const { id, fixOf, line } of tasks) {
    if (fixOf !== null && !lines.has(fixOf)) problems.push(finding("fix-without-original", line, id, fixOf));
  }
  return problems;
}

function oddities(chunks: readonly Chunk[]): Problem[] {
  let line = 1;
  return chunks.flatMap(({ oddities, lines }) => {
    const first = line;
    line += lines;
    return oddities.map((odd) => finding(odd.rule, first + odd.line));
  });
}

/**
 * Find fields of open tasks that end within a command. A heading or a rule ended the list item there, so the rest of
 * the command, and boxes in it, belong to another task or to none.
 */
export const findOpenCommands = (tasks: readonly Task[]): Problem[] =>
  tasks.flatMap(({ id, done, line, fields }) => {
    const open = done ? undefined : Object.values(fields).find((value) => endsInCommand(value));
    return open === undefined ? [] : [finding("open-command", line, id)];
  });

/** Constructs that make a command span lines on purpose. */
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

/** Position of a code span that is never closed; -1 if there is none. */
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
