import { commandLine, type SpecAddress } from "../model/command-line.ts";
import { detailOf, type Repair } from "../model/directive.ts";
import type { EffectInput } from "../model/effect.ts";
import type { Task, TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";

/** A task that failed its verification, and the repairs so far. Texts are untrusted. */
export interface QuestionSource {
  readonly task: Pick<Task, "id" | "title">;
  /** The planned task at the root of the task's tree; default: the task itself. */
  readonly root?: TaskId;
  /** The `Done when` or `Verify` of the task. */
  readonly expected: string;
  readonly actual: string;
  /** Directives that were followed, oldest first; only the last `mostRepairs` are shown. */
  readonly repairs: readonly Repair[];
}

const longest = 500;
const mostRepairs = 10;

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

const onOneLine = (text: string): string =>
  clamp(
    text
      .slice(0, 20 * longest)
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
    longest,
  );

/** The task that a question is about: a planned task, or a part or fix of a planned task. */
export type AskedQuestion = Pick<EffectInput<"askPerson">, "task" | "root" | "about">;

/** List the ways to answer a question while its run waits, one per line. A command is at the end of its line. */
export function sayHints(question: AskedQuestion, address: SpecAddress, isAlone = true): string[] {
  const options = isAlone ? [] : ["--task", question.task];
  return answersTo(question, (...words) => commandLine(address, "say", { task: words, options }));
}

/**
 * List the ways to answer a question, one per line. A command is at the end of its line.
 *
 * @param isOver Whether the start that asked has ended: then the next start first checks whether the task was fixed by
 *   hand.
 * @param isNamed Whether the answer names the task, since other questions may wait as well (default: false).
 * @param isRerun Whether the next start runs the task's Verify first (default: false).
 */
export function questionHints(
  question: AskedQuestion,
  address: SpecAddress,
  {
    isOver,
    isNamed = false,
    isRerun = false,
  }: { readonly isOver: boolean; readonly isNamed?: boolean; readonly isRerun?: boolean },
): string[] {
  const { about } = question;
  const isMended = isOver && (about === "repair" || about === "checkpoint");
  const named = isNamed ? ["--task", question.task] : [];
  const answers = answersTo(question, (word, text) => {
    const options = [...named, ...(text === undefined ? ["--decision", word] : [`--${word}`, text])];
    return commandLine(address, "resume", { options });
  });
  return isMended
    ? [`Fix the task yourself, ${mendWords(isRerun)}: ${commandLine(address, "run")}`, ...answers]
    : answers;
}

/**
 * Describe how to continue the run after fixing a task.
 *
 * @param isRerun Whether the next start runs the task's Verify first. If false, a person must tick the box of the task.
 */
export const mendWords = (isRerun: boolean): string =>
  isRerun ? "then continue (its Verify runs first)" : "tick it in tasks.md, then continue";

/** @param say Returns the command that sends the message `word`, with the given text if there is one. */
function answersTo({ task, root, about }: AskedQuestion, say: (word: string, ...text: string[]) => string): string[] {
  const advice = { blocked: "Answer the question", checkpoint: "Advise" }[about as string];
  const retry = `Retry the task: ${say("retry")}`;
  return [
    ...(advice === undefined ? [] : [`${advice}: ${say("guidance", "…")}`]),
    ...(about === "guard" ? [`Review the changes, then accept: ${say("accept")}`] : []),
    about === "environment" ? `Fix the cause first. ${retry}` : retry,
    // The report of a checkpoint is about the planned task.
    ...(task === root || about === "checkpoint"
      ? [`Skip the task: ${say("skip")}`]
      : [`Skip ${task}: ${say("skip")}`, `Skip all of ${root}: ${say("skip-task")}`]),
    `End the run: ${say("stop")}`,
  ];
}
