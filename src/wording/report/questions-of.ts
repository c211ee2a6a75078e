import { plainLine } from "../../markdown/text/plain-line.ts";
import type { StuckReport } from "../../model/stuck-report.ts";

/** What is asked is made from: recorded facts, untrusted. */
export type QuestionFacts = Pick<StuckReport, "task" | "repairs" | "status" | "admission" | "lastError">;

/** Code points of a question. */
const longest = 600;

/**
 * What a person has to decide about a stuck task: what a repair operator put to it, what the executor says it needs or
 * admits, else what the agent should do differently. At least one, each one line of plain text.
 */
export function questionsOf({ task, repairs, status, admission, lastError }: QuestionFacts): string[] {
  const decisions = repairs.flatMap(({ directive }) =>
    directive.strategy === "escalate" && isSaid(directive.decision) ? [`To be decided: ${directive.decision}`] : [],
  );
  const needed = isSaid(status) ? [`What should be done about this report of the executor: ${status}`] : [];
  const admitted = isSaid(admission) ? [`The executor says "${admission}". Which way should it take?`] : [];
  const questions = [...decisions, ...needed, ...admitted];
  const last = isSaid(lastError)
    ? `Task ${task.id} fails with: \`${lastError}\`. What should the agent do differently?`
    : `How should task ${task.id} go on?`;
  const asked = (questions.length === 0 ? [last] : questions).map((question) => plainLine(question, longest));
  return [...new Set(asked)];
}

const isSaid = (text: string | null): text is string => text !== null && plainLine(text, 1) !== "";
