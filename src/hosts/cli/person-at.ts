import { createQueue } from "../../model/create-queue.ts";
import { longestGuidance } from "../../model/person-event.ts";
import type { PersonAnswer, PersonQuestion } from "../../ports/ports.ts";
import { escapeLines, escapeText } from "../../wording/escape-text.ts";
import { fitItems, renderItems } from "../../wording/render-items.ts";
import type { RunOptions } from "../node/run-options.ts";
import type { Terminal } from "./cli-command.ts";

type Size = Partial<Pick<Terminal, "columns" | "rows">>;

/**
 * Ask the questions of a run at a terminal, one at a time; undefined when no one can answer.
 *
 * @param hold Pauses drawing; its result resumes drawing.
 */
export function personAt(
  terminal: Pick<Terminal, "ask" | "out"> & Size,
  hold: () => () => void,
): Required<Pick<RunOptions, "confirm" | "decide">> | undefined {
  const { ask, out } = terminal;
  if (ask === undefined) return undefined;
  // Tasks of a batch may ask at the same time.
  const inTurn = createQueue();
  const undisturbed = <Given>(put: () => Promise<Given>): Promise<Given> =>
    inTurn(async () => {
      const release = hold();
      try {
        return await put();
      } finally {
        release();
      }
    });
  return {
    confirm: (question, items) => undisturbed(() => askPerson(question, items, ask, out, terminal)),
    decide: async (question, signal) => {
      // A checkpoint needs more than a short answer: the run stops with its report.
      if (question.about === "checkpoint") return null;
      return undisturbed(async () => {
        // The question may have been answered elsewhere while an earlier question was shown.
        signal.throwIfAborted();
        out(`${escapeLines(factsOf(question))}\n`);
        const prompt = promptFor(question);
        const answer = answerIn(await ask(prompt, signal), question);
        return (answer === undefined ? answerIn(await ask(prompt, signal), question) : answer) ?? null;
      });
    },
  };
}

function promptFor({ task, current, about }: PersonQuestion): string {
  const skip = current === task ? "skip (s)" : `skip ${current} (s), skip all of ${task} (t)`;
  const retry = {
    blocked: "Answer in one line, retry without an answer (r)",
    guard: "Accept the changes (a), retry (r)",
  }[about as string];
  return `${retry ?? "Retry (r)"}, ${escapeLines(skip)}, stop, or leave the question open (q)? `;
}

/** Text of a question without its last line, which the prompt replaces. */
const factsOf = ({ text }: PersonQuestion): string => text.replace(/\nRetry, skip[^\n]* or stop\?\s*$/, "");

/**
 * Parse an answer. Null leaves the question open, so that the run stops and a person can answer later; undefined for an
 * invalid answer.
 */
function answerIn(answer: string, { about }: PersonQuestion): PersonAnswer | null | undefined {
  const word = answer.trim().toLowerCase();
  if (["", "q", "quit"].includes(word)) return null;
  if (["r", "retry"].includes(word)) return { kind: "decided", decision: "retry" };
  if (["s", "skip"].includes(word)) return { kind: "decided", decision: "skip" };
  if (["t", "skip-task"].includes(word)) return { kind: "decided", decision: "skip-task" };
  if (word === "stop") return { kind: "decided", decision: "stop" };
  if (about === "guard" && ["a", "accept"].includes(word)) return { kind: "decided", decision: "accept" };
  // The executor has asked a question itself: any text answers it.
  return about === "blocked" ? { kind: "guided", text: answer.trim().slice(0, longestGuidance) } : undefined;
}

/**
 * Ask a yes-or-no question about a list of items; only `y` or `yes` agrees.
 *
 * @param ask Reads an answer from the terminal.
 * @param show Prints the list of items before the answer.
 */
export async function askPerson(
  question: string,
  items: readonly string[],
  ask: (question: string) => Promise<string>,
  show: (text: string) => void,
  { columns = 80, rows = 24 }: Size = {},
): Promise<boolean> {
  const list = fitItems(renderItems(items), columns);
  const lines = list.split("\n").length;
  const asked = escapeText(question);
  // Warn if a part of the list would scroll off the screen.
  const isLong = lines + Math.ceil(asked.length / columns) >= rows;
  show(`${asked}\n${list}\n${isLong ? `They take ${lines} lines: scroll up to read all of them.\n` : ""}`);
  const answer = await ask("[y/N] ");
  return /^\s*y(es)?\s*$/i.test(answer);
}
