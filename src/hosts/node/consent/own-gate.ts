import { handedOutStore } from "../../../adapters/user/handed-out.ts";
import { type Caller, comesFrom, findCaller, unlistedCall, whoSpeaks } from "../../../adapters/user/speaker.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { unheardNote } from "../../../adapters/user/word-box.ts";
import { FixpointError, InputError } from "../../../model/errors.ts";
import { isPerson, type Speaker } from "../../../model/person-event.ts";
import type { SpecFolder } from "../find-spec.ts";
import { coordinatorOf, isHandedOut } from "../reading/recorded-starts.ts";
import type { RunOptions } from "../run-options.ts";

/**
 * Find out who sends a run a message through this process: a person at a terminal or a program. A process within that very
 * run, such as its executor or a Verify command, is refused, and the run is left a note about it.
 *
 * @param message The command, with what a person says in it.
 * @param caller What this process comes from, where it was found before.
 * @param known Who speaks, where the host knows that: a person on a page of its own, say.
 * @throws {InputError} `own-gate`; `person-needed` where its tasks are handed out, and who has them may be speaking
 */
export function senderOf(
  { name, folder, dataFolder }: Pick<SpecFolder, "name" | "folder" | "dataFolder">,
  message: string,
  caller: Caller = findCaller(),
  known?: Speaker,
): Speaker {
  const { speaker: seen, call } = whoSpeaks({ spec: folder, coordinator: coordinatorOf(dataFolder) }, caller);
  // Whoever has taken work may make a terminal: that makes no person of it.
  const isTaker = isPerson(seen) && comesFrom(caller, handedOutStore(userFolder(folder, folder)).takers());
  const speaker: Speaker = isTaker ? { ...seen, kind: "program" } : seen;
  if (call === null) {
    if (!isPerson(known ?? speaker) && isAnswer.test(message) && isHandedOut({ dataFolder }))
      throw personNeeded(name, message);
    return speaker;
  }
  try {
    unheardNote(dataFolder).leave({ word: message.slice(0, 200), key: call.slice(0, 200), by: speaker });
  } catch (error) {
    // Where no note can be left, no run could read it either.
    if (!(error instanceof FixpointError)) throw error;
  }
  if (call === unlistedCall) throw unplaced(name, message);
  throw new InputError(`Cannot say \`${message}\` to \`${name}\` from within its own call ${call}, expected a person`, {
    code: "own-gate",
    hint: "Say it in a terminal of your own; an executor that needs a person replies BLOCKED: <question>",
  });
}

/** What answers a question, or takes back what stands against an agent. */
const isAnswer = /--(?:guidance|decision|accept|new-run)|^(?:say (?!pause|resume)|reset|clean)/;

const personNeeded = (name: string, message: string): InputError =>
  new InputError(
    `Cannot say \`${message}\` to \`${name}\` without a terminal, expected a person: its tasks are handed out, and who has them may not answer`,
    { code: "person-needed", hint: "Say it in a terminal of your own" },
  );

const unplaced = (name: string, message: string): InputError =>
  new InputError(
    `Cannot say \`${message}\` to \`${name}\`, expected /proc or ps to show that it does not come from the run itself`,
    {
      code: "own-gate",
      hint: "Say it on the page of `fixpoint run --watch`, or end the run with Ctrl-C where it was started",
    },
  );

/** The message that options send for a person, as the command line has it. */
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
