import { handedOutStore } from "../../../adapters/user/handed-out.ts";
import { rejectedNote } from "../../../adapters/user/inbox.ts";
import { readHead } from "../../../adapters/user/run-head.ts";
import { type Caller, comesFrom, findCaller, unlistedCall, whoSpeaks } from "../../../adapters/user/speaker.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { FixpointError, InputError } from "../../../model/errors.ts";
import { isPerson, type Speaker } from "../../../model/person-event.ts";
import type { SpecFolder } from "../find-spec.ts";
import { coordinatorOf, isHandedOut } from "../reading/recorded-starts.ts";
import type { RunOptions } from "../run-options.ts";

/**
 * Identify the sender of a message to a run: a person at a terminal, or a program. Refuses a process inside that run,
 * such as its executor or a Verify command, and leaves the run a note about the refused message.
 *
 * @param message The command, with the person's answer in it.
 * @param caller The calling process; found by default.
 * @param known The speaker, if the host knows it, such as a person on its page.
 * @throws {InputError} `own-gate`; `person-needed` if tasks are handed out and the caller may be their executor
 */
export function senderOf(
  { name, folder, dataFolder }: Pick<SpecFolder, "name" | "folder" | "dataFolder">,
  message: string,
  caller: Caller = findCaller(),
  known?: Speaker,
): Speaker {
  const { speaker: seen, call } = whoSpeaks({ spec: folder, coordinator: coordinatorOf(dataFolder) }, caller);
  // A process that took handed-out work is no person, even if it opens a terminal.
  const place = userFolder(folder, folder);
  const isTaker = isPerson(seen) && comesFrom(caller, handedOutStore(place).takers());
  const speaker: Speaker = isTaker ? { ...seen, kind: "program" } : seen;
  if (call === null) {
    // An agent may have removed or damaged the run data.
    const asksPerson = (): boolean => isHandedOut({ dataFolder }) || readHead(place)?.outside === true;
    if (!isPerson(known ?? speaker) && isAnswer.test(message) && asksPerson()) throw personNeeded(name, message);
    return speaker;
  }
  try {
    rejectedNote(dataFolder).leave({ word: message.slice(0, 200), key: call.slice(0, 200), by: speaker });
  } catch (error) {
    // If the note cannot be written, the run could not read it either.
    if (!(error instanceof FixpointError)) throw error;
  }
  if (call === unlistedCall) throw unplaced(name, message);
  throw new InputError(`Cannot say \`${message}\` to \`${name}\` from inside its own call ${call}, expected a person`, {
    code: "own-gate",
    hint: "Send the message from another terminal; an executor that needs a person replies BLOCKED: <question>",
  });
}

/** Messages that answer a question or revoke a restriction on an agent. */
const isAnswer = /--(?:guidance|decision|accept|new-run)|^(?:say (?!pause|resume)|reset|clean)/;

const personNeeded = (name: string, message: string): InputError =>
  new InputError(
    `Cannot say \`${message}\` to \`${name}\` without a terminal, expected a person: its tasks are handed out, and the agent that does them may not answer`,
    { code: "person-needed", hint: "Send the message from another terminal" },
  );

const unplaced = (name: string, message: string): InputError =>
  new InputError(
    `Cannot say \`${message}\` to \`${name}\`, expected /proc or ps to show that it does not come from the run itself`,
    {
      code: "own-gate",
      hint: "Send the message from the page of `fixpoint run --watch`, or end the run with Ctrl-C where it was started",
    },
  );

/** Render the options that send a message, in the form of the command line. */
export const messageIn = ({
  resume = false,
  guidance,
  decision,
  yes = false,
  accept,
  newRun = false,
}: Pick<RunOptions, "resume" | "guidance" | "decision" | "yes" | "accept" | "newRun">): string =>
  [
    resume ? "resume" : "run",
    ...(guidance === undefined ? [] : ["--guidance"]),
    ...(decision === undefined ? [] : [`--decision ${decision}`]),
    ...(yes ? ["--yes"] : []),
    ...(accept === undefined ? [] : [`--accept ${accept}`]),
    ...(newRun ? ["--new-run"] : []),
  ].join(" ");
