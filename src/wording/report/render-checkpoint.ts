import { plainLine } from "../../markdown/text/plain-line.ts";
import type { StuckReport } from "../../model/stuck-report.ts";
import { countOf } from "../../model/text.ts";
import { type QuestionFacts, questionsOf, renderFailures } from "./render-stuck-report.ts";
import { decideCommand, resumeCommand } from "./report-parts.ts";

export type Checkpoint = QuestionFacts &
  Pick<StuckReport, "address" | "failures" | "earlier" | "pivots" | "researches" | "races"> & {
    readonly path: string;
  };

const longestPath = 1000;
const longestTask = 100;

/**
 * Render the message of a checkpoint for a terminal, as plain text in lines: what was tried, what is needed, how to
 * resume.
 */
export function renderCheckpoint({ path, ...checkpoint }: Checkpoint): string {
  const { address, task } = checkpoint;
  const attempts = attemptLines(checkpoint);
  const lines = [
    "CHECKPOINT - STUCK",
    "",
    `After ${renderFailures(checkpoint, ` on task ${plainLine(task.id, longestTask)}`)}, fixpoint cannot proceed on its own.`,
    "",
    ...(attempts.length === 0 ? [] : ["Attempts Summary:", ...attempts, ""]),
    `Stuck Report saved to: ${plainLine(path, longestPath)}`,
    "",
    "What's Needed:",
    ...questionsOf(checkpoint).map((question) => `- ${question}`),
    "",
    `To resume: ${resumeCommand(address)}`,
    `To skip the task: ${decideCommand(address, "skip")}`,
    `To end the run: ${decideCommand(address, "stop")}`,
  ];
  return lines.join("\n");
}

/** Count the attempts by kind. Kinds without an attempt are omitted. */
function attemptLines({
  failures,
  earlier,
  pivots,
  researches,
  races,
}: Pick<Checkpoint, "failures" | "earlier" | "pivots" | "researches" | "races">) {
  const climbed = [
    ...(pivots === 0 ? [] : [`- ${countOf(pivots, "pivot attempt")} (different approaches)`]),
    ...(researches === 0 ? [] : [`- ${countOf(researches, "research attempt")} (deeper investigation)`]),
    ...(races === 0 ? [] : [`- ${countOf(races, "attempt")} side by side`]),
  ];
  const others = Math.max(0, failures - pivots - researches - races);
  const before = climbed.length === 0 ? "" : " before these";
  return [
    ...climbed,
    ...(others === 0 ? [] : [`- ${countOf(others, "attempt")}${before}`]),
    ...(earlier === 0 ? [] : [`- ${countOf(earlier, "attempt")} before the last answer`]),
  ];
}
