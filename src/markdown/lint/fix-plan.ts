import { type DoubtfulCommand, doubtCommand } from "../../model/doubtful-command.ts";
import type { Plan } from "../../model/plan.ts";
import type { Problem, Rule } from "../../model/rule.ts";
import type { Task } from "../../model/task.ts";
import { readPlan } from "../document/plan-document.ts";
import { lintPlan } from "../lint-plan.ts";
import { readVerify, type Verify } from "../tasks/read-verify.ts";
import { linesWithEnds } from "../text/line-ending.ts";

export interface FixedPlan {
  readonly text: string;
  /** Corrected problems, in the order of the lines. */
  readonly fixed: readonly Pick<Problem, "line" | "rule">[];
}

/**
 * Correct problems with a single solution: a box without its blanks (`-[x] 1.5`), a lower-case marker (`[verify]`), and
 * a shell prompt before a Verify (`$ npm test`). A correction is applied only if nothing else changes: all other tasks
 * have the same ids, titles and boxes as before, and there is no new error.
 */
export function fixPlan(text: string): FixedPlan {
  const fixed: Pick<Problem, "line" | "rule">[] = [];
  let known = readingOf(text);
  for (const { line, rule } of known.problems.toSorted((a, b) => a.line - b.line)) {
    const rewrite = rewrites[rule];
    const rewritten = rewrite?.(known, line) ?? null;
    if (rewritten === null) continue;
    const next = readingOf(rewritten);
    if (!isMended(known, next, { line, rule })) continue;
    known = next;
    fixed.push({ line, rule });
  }
  return { text: known.text, fixed };
}

interface LintReading {
  readonly text: string;
  readonly plan: Plan;
  readonly problems: readonly Problem[];
}

function readingOf(text: string): LintReading {
  const plan = readPlan(text);
  return { text, plan, problems: lintPlan(plan, { text }) };
}

/** Corrections by rule: return the new text of the plan, or null if there is no single solution. */
const rewrites: Partial<Record<Rule, (reading: LintReading, line: number) => string | null>> = {
  "near-miss-task": ({ text }, line) =>
    onLine(text, line, (source) => {
      const [head, indent, bullet, mark = ""] = nearMiss.exec(source) ?? [];
      if (head === undefined) return source;
      return `${indent}${bullet} [${mark === "" ? " " : "x"}] ${source.slice(head.length)}`;
    }),
  "near-miss-marker": ({ text }, line) =>
    onLine(text, line, (source) =>
      source.replace(/\[(?:p|verify|red|green|yellow|finally)\]/gi, (word) => word.toUpperCase()),
    ),
  // The problem is reported on the line of its task.
  "prose-verify": ({ text, plan }, line) => withoutPrompt(text, plan.tasks.find((task) => task.line === line) as Task),
};

const nearMiss = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]*\[[ \t]?([xX✓✔]?)[ \t]?\][ \t]*(?=\S)/;

function onLine(text: string, line: number, rewrite: (source: string) => string): string | null {
  const lines = linesWithEnds(text);
  const source = lines[line - 1] as string;
  const rewritten = rewrite(source);
  return rewritten === source ? null : lines.with(line - 1, rewritten).join("");
}

/**
 * Replace the Verify of a task by the command without its shell prompt; null if there is no prompt, or the field has
 * another form.
 */
function withoutPrompt(text: string, { start, end, fields }: Task): string | null {
  const { command } = readVerify(fields.verify) as Extract<Verify, { kind: "command" }>;
  const doubt = doubtCommand(command) as DoubtfulCommand;
  if (doubt.kind === "prose") return null;
  const block = text.slice(start, end);
  const parts = block.split(command);
  if (parts.length !== 2) return null;
  return `${text.slice(0, start)}${parts.join(doubt.meant)}${text.slice(end)}`;
}

/**
 * Whether a correction has removed its problem and nothing else changed, except that the line may have become a task.
 */
function isMended(before: LintReading, after: LintReading, { line, rule }: Pick<Problem, "line" | "rule">): boolean {
  const isThere = ({ problems }: LintReading) => problems.some((each) => each.line === line && each.rule === rule);
  const errors = ({ problems }: LintReading) => problems.filter(({ severity }) => severity === "error").length;
  if (isThere(after) || errors(after) > errors(before)) return false;
  const isNew = ({ line: at }: Task): boolean => at === line && rule === "near-miss-task";
  const [was, now] = [before, after].map(({ plan }) => plan.tasks.filter((task) => !isNew(task))) as [Task[], Task[]];
  return was.length === now.length && was.every((task, at) => isSame(task, now[at] as Task));
}

/** Whether a task is unchanged. The title may have lost a line that has become a task. */
const isSame = (before: Task, after: Task): boolean =>
  before.line === after.line &&
  before.id === after.id &&
  before.done === after.done &&
  before.phase === after.phase &&
  before.title.startsWith(after.title);
