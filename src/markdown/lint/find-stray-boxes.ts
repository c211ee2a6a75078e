import type { Plan } from "../../model/plan.ts";
import { lintProblem, type Problem } from "../../model/rule.ts";
import { splitLines } from "../text/line-ending.ts";

const lineHead = String.raw`^\uFEFF?[ \t>]*(?:<!--[ \t]*)?`;
const bullet = String.raw`(?:[-*+]|\d{1,9}[.)])[ \t]+`;
const box = String.raw`\[[ xX]\](?=[ \t]|$)`;
const label = String.raw`(?:\*\*|__)?[A-Za-z][A-Za-z ]{0,30}(?::(?:\*\*|__)?|(?:\*\*|__):)[ \t]*`;
/** Boxes at the start of a line, or behind a word such as a ticket number. */
const boxLine = new RegExp(
  `${lineHead}(?:\\w{1,16}[ \\t]+(?=[-*+][ \\t]))?(?:${bullet}|#{1,6}[ \\t]+|<li>[ \\t]*)?${box}`,
);
/** Boxes as a value: `**Status**: [x] Done`. */
const boxField = new RegExp(`${lineHead}(?:${bullet})?${label}${box}`);
const boxCell = /^[ \t>]*\|(?:.*\|)?[ \t]*\[[ xX]\][ \t]*\|/;

/**
 * Lines with a box that stand in no task, so that nothing ticks them.
 *
 * @param text What the plan was read from.
 */
export function findStrayBoxes(text: string, { tasks, problems }: Pick<Plan, "tasks" | "problems">): Problem[] {
  const known = new Set(problems.flatMap(({ rule, line }) => (rule === "near-miss-task" ? [line] : [])));
  const found: Problem[] = [];
  let next = 0;
  let covered = 0;
  let start = 0;
  splitLines(text).forEach((source, index) => {
    const at = start + source.indexOf("[");
    for (let task = tasks[next]; task !== undefined && task.start <= at; task = tasks[next]) {
      covered = Math.max(covered, task.end);
      next += 1;
    }
    if (at >= covered && !known.has(index + 1) && isBoxLine(source)) found.push(strayBox(index + 1));
    start += source.length;
    start += text.startsWith("\r\n", start) ? 2 : 1;
  });
  return found;
}

const isBoxLine = (source: string): boolean =>
  source.includes("[") && (boxLine.test(source) || boxField.test(source) || boxCell.test(source));

const strayBox = (line: number): Problem =>
  lintProblem(
    "stray-box",
    line,
    "This box is not a task's, nor part of one: nothing ticks it",
    "If it is to be done, write it as a list item of its own, e.g. `- [ ] 1.1 Add the parser`; else leave out the box.",
  );
