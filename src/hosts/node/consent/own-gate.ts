import { findCall, whoSpeaks } from "../../../adapters/user/speaker.ts";
import { unheardNote } from "../../../adapters/user/unheard-note.ts";
import { FixpointError, InputError } from "../../../model/errors.ts";
import type { Speaker } from "../../../model/speaker.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";

/**
 * Who sends a run a message through this process. One that comes out of a call of that very run, from its executor or
 * from a Verify command, is refused: the messages of a person come from a person. The run is left a note about it.
 *
 * @param message The command, with what a person says in it.
 * @throws {InputError} `own-gate`
 */
export function senderOf(
  { name, folder, dataFolder }: Pick<SpecFolder, "name" | "folder" | "dataFolder">,
  message: string,
): Speaker {
  const sender = whoSpeaks();
  const key = findCall(folder);
  if (key === null) return sender;
  try {
    unheardNote(dataFolder).leave({ word: message.slice(0, 200), key: key.slice(0, 200), by: sender });
  } catch (error) {
    // Where no note can be left, no run could read it either.
    if (!(error instanceof FixpointError)) throw error;
  }
  throw new InputError(`Cannot say \`${message}\` to \`${name}\` from within its own call ${key}, expected a person`, {
    code: "own-gate",
    hint: "Say it in a terminal of your own; an executor that needs a person replies BLOCKED: <question>",
  });
}

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
