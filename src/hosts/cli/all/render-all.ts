import { countOf } from "../../../model/count-of.ts";
import { FixpointError } from "../../../model/errors.ts";
import { exitCodes } from "../../../model/event.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { readPlanFile } from "../../node/reading/read-plan-file.ts";
import { renderError } from "../render-error.ts";
import type { FoundRun } from "./found-run.ts";

/** One of many specs in the summary. */
export interface SpecSummary {
  readonly spec: string;
  /** Absolute. */
  readonly folder: string | null;
  /** That of its run; `refused` when an error was thrown, `not begun` when its turn never came. */
  readonly outcome: string;
  readonly exitCode: number;
  /** Tasks that are done, and all; null when the plan cannot be read. */
  readonly tasks: { readonly done: number; readonly total: number } | null;
  /** US dollars; null when nobody says. */
  readonly cost: number | null;
  /** What to do next; null when nothing is to be done. */
  readonly next: string | null;
}

export function summaryOf({ label, spec, end }: FoundRun): SpecSummary {
  const facts = { spec: label, folder: spec?.folder ?? null, tasks: spec === null ? null : tasksIn(spec.tasksPath) };
  if (end === null) return { ...facts, outcome: "not begun", exitCode: exitCodes.interrupted, cost: null, next: null };
  if ("error" in end) {
    const next = end.error instanceof FixpointError ? firstLine(end.error.hint) : null;
    return { ...facts, outcome: "refused", exitCode: renderError(end.error).exitCode, cost: null, next };
  }
  const { outcome, exitCode, costUsd, hint } = end.ended;
  return { ...facts, outcome, exitCode, cost: costUsd ?? null, next: outcome === "complete" ? null : firstLine(hint) };
}

function tasksIn(path: string): SpecSummary["tasks"] {
  try {
    const { tasks } = readPlanFile(path).plan;
    return { done: tasks.filter(({ done }) => done).length, total: tasks.length };
  } catch {
    return null;
  }
}

const firstLine = (hint: string | undefined): string | null => hint?.split("\n")[0] ?? null;

/** Codes that say more than those behind them, when runs end differently: whose move comes first. */
const precedence = [130, 70, 5, 4, 2, 3, 1];

/** The exit code of many runs: 0 only when all are complete. */
export const exitCodeOf = (summaries: readonly SpecSummary[]): number =>
  precedence.find((code) => summaries.some(({ exitCode }) => exitCode === code)) ?? 0;

/** The summary of many runs as a table, one spec a line, below it what to do next. */
export function renderAll(summaries: readonly SpecSummary[]): string {
  const rows = summaries.map(({ spec, outcome, tasks, cost }) => [
    escapeText(spec),
    outcome,
    tasks === null ? "" : `${tasks.done}/${countOf(tasks.total, "task", "tasks")}`,
    cost === null ? "" : `$${cost.toFixed(2)}`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const complete = summaries.filter(({ outcome }) => outcome === "complete").length;
  const lines = rows.flatMap((row, at) => {
    const next = summaries[at]?.next ?? null;
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
    return [`  ${line}`.trimEnd(), ...(next === null ? [] : [`    ${escapeText(next)}`])];
  });
  return `\nSpecs: ${complete} of ${summaries.length} complete\n${lines.join("\n")}\n`;
}
