import { plainLine } from "../../markdown/text/plain-line.ts";
import type { StuckReport } from "../../model/stuck-report.ts";
import type { TaskId } from "../../model/task.ts";
import { countOf } from "../../model/text.ts";
import { renderAttempts, renderResume, renderState } from "./report-parts.ts";
import { encodeLine, fenceLog, listBlock } from "./report-text.ts";

export const reportTitle = "# Fixpoint - Stuck Report";

const looked = 200;

/** Whether a text is the report of a checkpoint, by fixpoint or by the tool whose format it adopts. */
export const isStuckReport = (text: string): boolean =>
  text
    .slice(0, looked)
    .split("\n")
    .some((line) => line.startsWith("# ") && line.trimEnd().endsWith("Stuck Report"));

export type QuestionFacts = Pick<StuckReport, "task" | "repairs" | "status" | "admission" | "lastError" | "rejected">;

const longest = 600;

/**
 * List questions for a person about a stuck task: questions of the repair operator, and questions that the executor's
 * report and admission raise. Without such questions, ask what the agent should do differently. Each question is one
 * line of plain text.
 */
export function questionsOf({ task, repairs, status, admission, ...last }: QuestionFacts): string[] {
  const decisions = repairs.flatMap(({ directive }) =>
    directive.strategy === "escalate" && isSaid(directive.decision) ? [`To be decided: ${directive.decision}`] : [],
  );
  const needed = isSaid(status) ? [`What should be done about this report of the executor: ${status}`] : [];
  const admitted = isSaid(admission) ? [`The executor says "${admission}". Which way should it take?`] : [];
  const questions = [...decisions, ...needed, ...admitted];
  const asked = (questions.length === 0 ? [askAbout(task.id, last)] : questions).map((question) =>
    plainLine(question, longest),
  );
  return [...new Set(asked)];
}

function askAbout(task: TaskId, { lastError, rejected }: Pick<QuestionFacts, "lastError" | "rejected">): string {
  const asked = "What should the agent do differently?";
  if (isSaid(rejected)) return `The last attempt at task ${task} was rejected: ${rejected}. ${asked}`;
  return isSaid(lastError)
    ? `Task ${task} fails with: \`${lastError}\`. ${asked}`
    : `How should task ${task} continue?`;
}

const isSaid = (text: string | null): text is string => text !== null && plainLine(text, 1) !== "";

/**
 * Render the report of a checkpoint, with the sections of the adopted format in their order. An empty section states
 * that there are no facts.
 *
 * @param report Its texts are untrusted, and are encoded so that none opens a heading, a task, a fence or a comment.
 * @see docs/formats.md
 */
export function renderStuckReport(report: StuckReport): string {
  const log = fenceLog(report.errorLog);
  const context = report.contextFiles.map(({ name, path }) => encodeLine(`${name}: ${path}`));
  const blocks = [
    reportTitle,
    ...renderHead(report),
    "## Summary",
    renderSummary(report),
    "## What Was Attempted",
    ...renderAttempts(report),
    "## Current State",
    ...renderState(report),
    "## What Human Needs to Decide",
    listBlock(
      questionsOf(report).map((question) => encodeLine(question)),
      "1.",
      "",
    ),
    "## How to Resume",
    ...renderResume(report),
    "## Full Error Log",
    log.length === 0 ? "No error log is recorded." : log.join("\n"),
    "## Context Files",
    listBlock(context, "-", "There are none."),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** Each line is a separate paragraph, so that no markup can span two of them. */
const renderHead = ({ at, task, phase, done, total }: StuckReport): string[] => [
  `**Generated:** ${new Date(at).toISOString()}`,
  encodeLine(`"${task.title}" (${task.id})`, "**Task:**"),
  encodeLine(`${phase ?? "none"} (${done}/${total} tasks done)`, "**Phase:**"),
];

function renderSummary(report: StuckReport): string {
  const { task, pivots, researches, races } = report;
  const attempts = `${renderFailures(report)}, including ${countOf(pivots, "pivot")} and ${countOf(researches, "research attempt")}${races === 0 ? "" : `, and ${countOf(races, "attempt")} side by side`}`;
  const last = task.current === task.id ? "" : ` Task ${task.current}, made for it, failed last.`;
  return encodeLine(`Fixpoint could not get task ${task.id} done on its own: ${attempts}.${last}`);
}

/** Count all failed attempts. If a person has answered before, also count the failed attempts since the last answer. */
export const renderFailures = ({ failures, earlier }: Pick<StuckReport, "failures" | "earlier">, on = ""): string =>
  `${countOf(failures + earlier, "failed attempt")}${on}${earlier === 0 ? "" : ` (${failures} since the last answer)`}`;
