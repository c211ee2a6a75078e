import { commandLine, type SpecAddress } from "../model/command-line.ts";
import type { EffectInput } from "../model/effect.ts";

/** What a person is asked about: a planned task, or a part or a fix of one. */
export type AskedQuestion = Pick<EffectInput<"askPerson">, "task" | "root" | "about">;

/** How a question can be answered while its run waits with it, a line each. A command stands at the end of its line. */
export function sayHints(question: AskedQuestion, address: SpecAddress, isAlone = true): string[] {
  const options = isAlone ? [] : ["--task", question.task];
  return answersTo(question, (...words) => commandLine(address, "say", { task: words, options }));
}

/**
 * How a question can be answered, a line each. A command stands at the end of its line.
 *
 * @param isOver Whether its start has come to an end: the next one looks first whether the task was mended by hand.
 * @param isNamed Whether the answer names the task, since others may wait as well (not so when not given).
 */
export function questionHints(
  question: AskedQuestion,
  address: SpecAddress,
  { isOver, isNamed = false }: { readonly isOver: boolean; readonly isNamed?: boolean },
): string[] {
  const { about } = question;
  const isMended = isOver && (about === "repair" || about === "checkpoint");
  const named = isNamed ? ["--task", question.task] : [];
  const answers = answersTo(question, (word, text) => {
    const options = [...named, ...(text === undefined ? ["--decision", word] : [`--${word}`, text])];
    return commandLine(address, "resume", { options });
  });
  return isMended
    ? [
        `Fix it yourself, tick it in tasks.md if its Verify has not failed, then continue: ${commandLine(address, "run")}`,
        ...answers,
      ]
    : answers;
}

/** @param say The command that says a word, with its text where it has one. */
function answersTo({ task, root, about }: AskedQuestion, say: (word: string, ...text: string[]) => string): string[] {
  const advice = { blocked: "Answer it", checkpoint: "Advise" }[about as string];
  const retry = `Have it tried again: ${say("retry")}`;
  return [
    ...(advice === undefined ? [] : [`${advice}: ${say("guidance", "…")}`]),
    ...(about === "guard" ? [`Accept it, when you have looked at it: ${say("accept")}`] : []),
    about === "environment" ? `Put it right first. ${retry}` : retry,
    // The report of a checkpoint is about the planned task.
    ...(task === root || about === "checkpoint"
      ? [`Leave it out: ${say("skip")}`]
      : [`Leave ${task} out: ${say("skip")}`, `Leave all of ${root} out: ${say("skip-task")}`]),
    `End the run: ${say("stop")}`,
  ];
}
