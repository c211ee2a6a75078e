import { readJournal } from "../../adapters/journal/read-journal.ts";
import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { EnvironmentError, InputError } from "../../model/errors.ts";
import { isPerson, type PersonEvent, type Speaker } from "../../model/person-event.ts";
import type { TaskId } from "../../model/task.ts";

import { replayRecords } from "../../run/previous-start.ts";
import { type OpenQuestion, openQuestions } from "../../runtime/open-questions.ts";
import type { SentMessage } from "../../wording/render-receipt.ts";
import type { SpecFolder } from "./find-spec.ts";
import { sayTo, willBePaused } from "./message-run.ts";
import { holderElsewhere, holderOf, startsIn } from "./reading/recorded-starts.ts";

export interface OutgoingMessage {
  readonly word: "pause" | "resume" | "guidance" | "retry" | "skip" | "skip-task" | "stop" | "accept";
  /** The advice; only with `guidance`, of 1 to 4000 characters. */
  readonly text?: string | undefined;
  /** The task whose question the message answers; optional if only one question is open. */
  readonly task?: TaskId | undefined;
}

/**
 * Send a message to the run of a spec that is in progress on this machine. A decision is sent only if it answers an
 * open question.
 *
 * @param by The sender.
 * @param signal Ends the waiting for a receipt.
 * @throws {InputError} `nobody-listens`, `nothing-to-decide`; `person-needed` when a program answers a question
 * @throws {EnvironmentError} `spec-on-other-host`, `file-refused`, `user-folder-unusable`
 */
export async function sendToRun(
  spec: SpecFolder,
  said: OutgoingMessage,
  { by, address, signal }: { readonly by: Speaker; readonly address: SpecAddress; readonly signal: AbortSignal },
): Promise<SentMessage> {
  const { name, dataFolder } = spec;
  const { word } = said;
  const isPaused = (word === "pause" || word === "resume") && willBePaused(spec);
  const reading = readJournal(dataFolder);
  const elsewhere = holderElsewhere(spec);
  if (elsewhere !== null) {
    throw new EnvironmentError(
      `Cannot say \`${word}\` to \`${name}\` from here: process ${elsewhere.pid} on \`${elsewhere.host}\` runs it`,
      { code: "spec-on-other-host", hint: "Send the message from that machine" },
    );
  }
  const holder = holderOf(spec);
  if (holder === null) throw nobodyListens(name, said, address);
  const state = replayRecords(reading);
  if (word === "pause" && isPaused && state?.paused === true)
    return {
      name,
      pid: holder.pid,
      word,
      receipt: { kind: "recorded", atWork: Object.keys(state?.turn.atWork ?? {}) },
    };
  if (word === "resume" && !isPaused) {
    throw new InputError(`Cannot resume \`${name}\`: coordinator ${holder.pid} is not paused`, {
      code: "nothing-to-decide",
      hint: `See the state of the run: ${commandLine(address, "status")}`,
    });
  }
  const open = openQuestions(startsIn(reading), state ?? undefined);
  const to = questionFor(name, said, open, address)?.key;
  const [answered] = word === "pause" || word === "resume" ? [] : open;
  if (answered !== undefined && !isPerson(by)) throw personNeeded(name, said, answered, address);
  const sent = await sayTo(spec, { event: personEventOf(said), to, by }, signal);
  if (sent === null) throw nobodyListens(name, said, address);
  return { name, word, ...sent };
}

export function personEventOf({ word, text = "" }: OutgoingMessage): PersonEvent {
  if (word === "pause" || word === "resume") return { type: word };
  return word === "guidance" ? { type: "guidance.given", text } : { type: "decision.made", decision: word };
}

function questionFor(
  name: string,
  { word, task }: OutgoingMessage,
  open: readonly OpenQuestion[],
  address: SpecAddress,
): OpenQuestion | null {
  if (word === "pause" || word === "resume" || (word === "guidance" && task === undefined)) return null;
  const meant = task === undefined ? open : open.filter((asked) => asked.task === task || asked.root === task);
  const [question] = meant;
  if (question !== undefined && meant.length === 1) return question;
  const status = `See the state of the run: ${commandLine(address, "status")}`;
  if (question !== undefined) {
    throw new InputError(`Cannot say \`${word}\` to \`${name}\`, which asks about ${tasksOf(meant)}`, {
      code: "nothing-to-decide",
      hint: `Name one: ${commandLine(address, "say", { task: word === "guidance" ? [word, "…"] : [word], options: ["--task", question.task] })}`,
    });
  }
  const where = task === undefined ? "" : ` about task ${task}`;
  const asks = open.length === 0 ? "" : `; the run asks about ${tasksOf(open)}`;
  throw new InputError(
    `Cannot say \`${word}\` to \`${name}\`, expected a question${where} that waits for a person${asks}`,
    {
      code: "nothing-to-decide",
      hint: word === "stop" ? `End the run: ${commandLine(address, "stop")}` : status,
    },
  );
}

/**
 * Error for a program that answers a question. While a question is open, guidance without a task counts as an answer,
 * too.
 */
function personNeeded(
  name: string,
  { word }: OutgoingMessage,
  { task }: OpenQuestion,
  address: SpecAddress,
): InputError {
  const options = word === "guidance" ? ["--guidance", "…"] : ["--decision", word];
  return new InputError(
    `Cannot say \`${word}\` to \`${name}\` without a terminal, expected a person to answer the question about task ${task}`,
    {
      code: "person-needed",
      hint: `Answer in a terminal, or on the page of the run\nOr end the run and answer with a start: ${commandLine(address, "stop")} && ${commandLine(address, "resume", { options })}`,
    },
  );
}

const tasksOf = (open: readonly OpenQuestion[]): string => open.map(({ task }) => task).join(", ");

function nobodyListens(name: string, { word, text = "…" }: OutgoingMessage, address: SpecAddress): InputError {
  const resume = (...options: string[]): string =>
    `If the run has stopped: ${commandLine(address, "resume", { options })}`;
  const status = `See the state of the run: ${commandLine(address, "status")}`;
  const isDecision = word !== "pause" && word !== "resume" && word !== "guidance";
  return new InputError(`Cannot say \`${word}\` to \`${name}\`, expected a run that is at work here`, {
    code: "nobody-listens",
    hint: word === "guidance" ? resume("--guidance", text) : isDecision ? resume("--decision", word) : status,
  });
}
