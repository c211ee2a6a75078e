import { unheardNote } from "../../adapters/note-file.ts";
import { findCall, whoSpeaks } from "../../adapters/speaker.ts";
import { FixpointError, InputError } from "../../model/errors.ts";
import type { SpecFolder } from "./find-spec.ts";
import type { RunOptions } from "./run-options.ts";

/**
 * Refuse a word to a run that comes out of a call of that very run, from its executor or from a Verify command: the
 * words of a person come from a person. The run is left a note of it.
 *
 * @param word The command, with what a person says in it.
 * @throws {InputError} `own-gate`
 */
export function refuseOwnWord({ name, folder, dataFolder }: SpecFolder, word: string): void {
  const key = findCall(folder);
  if (key === null) return;
  try {
    unheardNote(dataFolder).leave({ word: word.slice(0, 200), key: key.slice(0, 200), by: whoSpeaks() });
  } catch (error) {
    // Where no note can be left there is no run either that could read it.
    if (!(error instanceof FixpointError)) throw error;
  }
  throw new InputError(`Cannot say \`${word}\` to \`${name}\` from within its own call ${key}, expected a person`, {
    code: "own-gate",
    hint: "Say it in a terminal of your own; an executor that needs a person replies BLOCKED: <question>",
  });
}

/** What options say for a person, as the command line has it. */
export const wordsIn = ({
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
