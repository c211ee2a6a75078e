import type { StuckReport } from "../../model/stuck-report.ts";
import { plainLine } from "../text/plain-line.ts";

/** What is asked is made from: recorded facts, untrusted. */
export type QuestionFacts = Pick<StuckReport, "task" | "repairs" | "status" | "admission" | "lastError">;

/** Code points of a question. */
const longest = 600;

/**
 * What a person has to decide about a stuck task: what a repair operator put to it, what the executor says it needs or
 * admits, else how its error can be overcome. At least one, each one line of plain text.
 */
export function questionsOf({ task, repairs, status, admission, lastError }: QuestionFacts): string[] {
  const decisions = repairs.flatMap(({ directive }) =>
    directive.strategy === "escalate" && isSaid(directive.decision) ? [`To be decided: ${directive.decision}`] : [],
  );
  const needed = isSaid(status) ? [`What is to be done about what the executor reports: ${status}`] : [];
  const admitted = isSaid(admission) ? [`Which way is it to take, where it says "${admission}"?`] : [];
  const questions = [...decisions, ...needed, ...admitted];
  const last = isSaid(lastError) ? `How can \`${lastError}\` be overcome?` : `How is task ${task.id} to go on?`;
  const asked = (questions.length === 0 ? [last] : questions).map((question) => plainLine(question, longest));
  return [...new Set(asked)];
}

const isSaid = (text: string | null): text is string => text !== null && plainLine(text, 1) !== "";
