import { lintProblem, type Problem } from "../../model/rule.ts";
import type { Task } from "../../model/task.ts";
import { findCircle } from "../tasks/dependencies.ts";
import { splitLines } from "../text/line-ending.ts";
import type { Chunk } from "./chunk.ts";

const headingTask = /^(?:\*\*)?Task\s+\d+(?:\.\d+)*\b/i;

/** What a run cannot follow, and what its author may have meant otherwise, by line. */
export function findProblems(chunks: readonly Chunk[], tasks: readonly Task[]): Problem[] {
  return [...taskProblems(tasks), ...chunkProblems(chunks, tasks)].sort((a, b) => a.line - b.line);
}

function taskProblems(tasks: readonly Task[]): Problem[] {
  const problems = tasks.length === 0 ? [noTasks] : [];
  const lines = new Map(tasks.map(({ id, line }) => [id, line]));
  const open = new Map<string, number[]>();
  for (const { id, done, line } of tasks) {
    if (!done) open.get(id)?.push(line) ?? open.set(id, [line]);
  }
  for (const [id, [first, second, ...more]] of open) {
    if (first !== undefined && second !== undefined) problems.push(duplicateId(id, [first, second, ...more]));
  }
  problems.push(...findOpenCommands(tasks));
  const circle = findCircle(tasks);
  if (circle !== null) problems.push(circularOrder(circle, lines));
  for (const { id, fixOf, line } of tasks) {
    if (fixOf !== null && !lines.has(fixOf)) problems.push(fixWithoutOriginal(id, fixOf, line));
  }
  return problems;
}

const circularOrder = (circle: readonly string[], lines: ReadonlyMap<string, number>): Problem =>
  lintProblem(
    "circular-order",
    lines.get(circle[0] as string) as number,
    `Tasks depend on each other in a circle: ${[...circle, circle[0]].join(", ")}`,
    "Remove one of the remarks that say what they depend on.",
  );

const noTasks = lintProblem(
  "no-tasks",
  1,
  "The plan has no task",
  "Write tasks as list items with a box, e.g. `- [ ] 1.1 Add the parser`; one of GSD is read by `fixpoint init`.",
);

const duplicateId = (id: string, [first, second, ...more]: readonly [number, number, ...number[]]): Problem =>
  lintProblem(
    "duplicate-id",
    second,
    `Task id \`${id}\` stands on lines ${[first, second, ...more].slice(0, -1).join(", ")} and ${more.at(-1) ?? second}`,
    "Give each of the tasks an id of its own.",
  );

const fixWithoutOriginal = (id: string, fixOf: string, line: number): Problem =>
  lintProblem(
    "fix-without-original",
    line,
    `Task \`${id}\` is a fix of \`${fixOf}\`, which is not in the plan`,
    `Add task \`${fixOf}\`, or remove the marker \`[FIX ${fixOf}]\`.`,
  );

function chunkProblems(chunks: readonly Chunk[], tasks: readonly Task[]): Problem[] {
  const lines = new Set(tasks.map((task) => task.line));
  const problems: Problem[] = [];
  let line = 1;
  for (const { oddities, headings, lines: count } of chunks) {
    for (const odd of oddities) problems.push(oddity[odd.rule](line + odd.line));
    for (const heading of headings) {
      const isRead = lines.has(line + heading.line);
      if (!isRead && headingTask.test(heading.title)) problems.push(taskHeading(heading.title, line + heading.line));
    }
    line += count;
  }
  return problems;
}

const taskHeading = (title: string, line: number): Problem =>
  lintProblem(
    "heading-task",
    line,
    `The heading \`${title}\` is not read as a task`,
    "Write the task as a list item with a box; headings group tasks.",
  );

const oddity = {
  "near-miss-task": (line: number): Problem =>
    lintProblem(
      "near-miss-task",
      line,
      "This line looks like a task but does not read as one",
      "Write `- [ ] ` with one blank behind the bullet, in the box and behind it.",
    ),
  "open-fence": (line: number): Problem =>
    lintProblem(
      "open-fence",
      line,
      "This fence is never closed; nothing behind it in its block is read",
      "Close the fence with a line that repeats its marks.",
    ),
} as const;

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
