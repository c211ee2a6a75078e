import { commandLine, type SpecAddress } from "../model/command-line.ts";
import { detailOf, type Repair } from "../model/directive.ts";
import type { EffectInput } from "../model/effect.ts";
import type { Task, TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";

/** A task that failed its verification, and what was done about it. Texts are untrusted. */
export interface QuestionSource {
  readonly task: Pick<Task, "id" | "title">;
  /** The planned task it belongs to; itself when not given. */
  readonly root?: TaskId;
  /** Its Done when or its Verify. */
  readonly expected: string;
  /** What it failed with. */
  readonly actual: string;
  /** Directives that were followed, oldest first; the last ones are told. */
  readonly repairs: readonly Repair[];
}

/** Code points of a text, and repairs that are told. */
const longest = 500;
const mostRepairs = 10;

/** What a person is asked about a task that no repair has helped, as plain text in lines. */
export function explainQuestion({ task, root = task.id, expected, actual, repairs }: QuestionSource): string {
  const told = repairs.slice(-mostRepairs).map(repairLine);
  return [
    `Task ${task.id} failed its verification: ${onOneLine(task.title)}`,
    `Expected: ${onOneLine(expected) || "not stated"}`,
    `Actual: ${onOneLine(actual) || "not stated"}`,
    ...(told.length === 0 ? ["Repairs: none"] : ["Repairs:", ...told]),
    root === task.id ? "Retry, skip or stop?" : `Retry, skip (${task.id} alone), skip-task (all of ${root}) or stop?`,
  ].join("\n");
}

const repairLine = ({ directive }: Repair): string =>
  `${directive.strategy.toUpperCase()}: ${onOneLine(detailOf(directive))}`;

/** A text on one line, without control characters. */
const onOneLine = (text: string): string =>
  clamp(
    text
      .slice(0, 20 * longest)
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
    longest,
  );

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
