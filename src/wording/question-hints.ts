import { commandLine, type SpecAddress } from "../model/command-line.ts";
import type { EffectInput } from "../model/effect.ts";

/** What a person is asked about: a planned task, or a part or a fix of one. */
export type AskedQuestion = Pick<EffectInput<"askPerson">, "task" | "root" | "about">;

/**
 * How a question can be answered, a line each. A command stands at the end of its line.
 *
 * @param isOver Whether its start has come to an end: the next one looks first whether the task was mended by hand.
 */
export function questionHints({ task, root, about }: AskedQuestion, address: SpecAddress, isOver: boolean): string[] {
  const resume = (...options: string[]): string => commandLine(address, "resume", { options });
  const retry = `Have it tried again: ${resume("--decision", "retry")}`;
  const skip = resume("--decision", "skip");
  const isMended = isOver && (about === "repair" || about === "checkpoint");
  const isAdvised = about === "blocked" || about === "checkpoint";
  return [
    ...(isMended ? [`When you have fixed it by hand, go on: ${commandLine(address, "run")}`] : []),
    ...(isAdvised ? [`${about === "blocked" ? "Answer it" : "Advise"}: ${resume("--guidance", "…")}`] : []),
    about === "environment" ? `Put it right first. ${retry}` : retry,
    // The report of a checkpoint is about the planned task.
    ...(task === root || about === "checkpoint"
      ? [`Leave it out: ${skip}`]
      : [`Leave ${task} out: ${skip}`, `Leave all of ${root} out: ${resume("--decision", "skip-task")}`]),
    `End the run: ${resume("--decision", "stop")}`,
  ];
}

/** How a question can be answered while its run waits with it, a line each. A command stands at the end of its line. */
export function sayHints({ task, root, about }: AskedQuestion, address: SpecAddress, isAlone = true): string[] {
  const options = isAlone ? [] : ["--task", task];
  const say = (...words: string[]): string => commandLine(address, "say", { task: words, options });
  return [
    ...(about === "blocked" || about === "checkpoint"
      ? [`${about === "blocked" ? "Answer it" : "Advise"}: ${say("guidance", "…")}`]
      : []),
    `Have it tried again: ${say("retry")}`,
    ...(task === root || about === "checkpoint"
      ? [`Leave it out: ${say("skip")}`]
      : [`Leave ${task} out: ${say("skip")}`, `Leave all of ${root} out: ${say("skip-task")}`]),
    `End the run: ${say("stop")}`,
  ];
}
