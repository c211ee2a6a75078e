import { commandLine, type SpecAddress } from "../model/command-line.ts";
import type { QuestionTopic } from "../model/question.ts";

/**
 * How a question can be answered, a line each. A command stands at the end of its line.
 *
 * @param isOver Whether its start has come to an end: the next one looks first whether the task was mended by hand.
 */
export function questionHints(about: QuestionTopic, address: SpecAddress, isOver: boolean): string[] {
  const resume = (...options: string[]): string => commandLine(address, "resume", { options });
  const retry = `Have it tried again: ${resume("--decision", "retry")}`;
  const isMended = isOver && (about === "repair" || about === "checkpoint");
  const isAdvised = about === "blocked" || about === "checkpoint";
  return [
    ...(isMended ? [`When you have fixed it by hand, go on: ${commandLine(address, "run")}`] : []),
    ...(isAdvised ? [`${about === "blocked" ? "Answer it" : "Advise"}: ${resume("--guidance", "…")}`] : []),
    about === "environment" ? `Put it right first. ${retry}` : retry,
    `Leave it out: ${resume("--decision", "skip")}`,
    `End the run: ${resume("--decision", "stop")}`,
  ];
}
