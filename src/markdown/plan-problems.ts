import type { Problem } from "../model/problem.ts";
import type { Task } from "../model/task.ts";
import type { Chunk } from "./chunk.ts";

const headingTask = /^(?:\*\*)?Task\s+\d+(?:\.\d+)*\b/i;

/** What a run cannot follow, and what its author may have meant otherwise, by line. */
export function findProblems(chunks: readonly Chunk[], tasks: readonly Task[]): Problem[] {
  return [...taskProblems(tasks), ...chunkProblems(chunks)].sort((a, b) => a.line - b.line);
}

function taskProblems(tasks: readonly Task[]): Problem[] {
  const problems: Problem[] = [];
  if (tasks.length === 0) {
    problems.push({
      rule: "no-tasks",
      severity: "error",
      line: 1,
      message: "The plan has no task",
      hint: "Write tasks as list items with a box, e.g. `- [ ] 1.1 Add the parser`.",
    });
  }
  const lines = new Map<string, number>();
  for (const { id, line } of tasks) {
    const first = lines.get(id);
    if (first === undefined) lines.set(id, line);
    else problems.push(duplicateId(id, first, line));
  }
  for (const { id, fixOf, line } of tasks) {
    if (fixOf === null || lines.has(fixOf)) continue;
    problems.push({
      rule: "fix-without-original",
      severity: "error",
      line,
      message: `Task \`${id}\` is a fix of \`${fixOf}\`, which is not in the plan`,
      hint: `Add task \`${fixOf}\`, or remove the marker \`[FIX ${fixOf}]\`.`,
    });
  }
  return problems;
}

const duplicateId = (id: string, first: number, line: number): Problem => ({
  rule: "duplicate-id",
  severity: "error",
  line,
  message: `Task id \`${id}\` stands on lines ${first} and ${line}`,
  hint: "Give one of the two tasks another id.",
});

function chunkProblems(chunks: readonly Chunk[]): Problem[] {
  const problems: Problem[] = [];
  let line = 1;
  for (const { oddities, headings, lines } of chunks) {
    for (const odd of oddities) problems.push({ ...oddity[odd.rule], severity: "warning", line: line + odd.line });
    for (const heading of headings.filter(({ title }) => headingTask.test(title))) {
      problems.push({
        rule: "heading-task",
        severity: "warning",
        line: line + heading.line,
        message: `The heading \`${heading.title}\` is not read as a task`,
        hint: "Write the task as a list item with a box; headings group tasks.",
      });
    }
    line += lines;
  }
  return problems;
}

const oddity = {
  "near-miss-task": {
    rule: "near-miss-task",
    message: "This line looks like a task but does not read as one",
    hint: "Write `- [ ] ` with one blank behind the bullet, in the box and behind it.",
  },
  "open-fence": {
    rule: "open-fence",
    message: "This fence is never closed; nothing behind it in its block is read",
    hint: "Close the fence with a line that repeats its marks.",
  },
} as const;
