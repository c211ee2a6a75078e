import * as z from "zod";

/** The process that has said something to a run, and its terminal; null where that cannot be told. */
export const Speaker = z.object({
  /** The terminal it was said at, e.g. `/dev/pts/3`; null when at none. */
  terminal: z.string().max(200).nullable(),
  /** Name and id of the process that has called the command. */
  process: z.string().max(200).nullable(),
  pid: z.int().nullable(),
  /** Id of the file that it was left in for the run; not given when the run heard it itself. */
  word: z.string().max(64).optional(),
});
export type Speaker = z.infer<typeof Speaker>;

/** Somebody who has left no name. */
export const unknownSpeaker: Speaker = { terminal: null, process: null, pid: null };

/** Who has said something, as a part of its record; nothing for the program that drives the run itself. */
export const spokenBy = (by: Speaker | undefined): { readonly by?: Speaker } => (by === undefined ? {} : { by });

/** A word that a call of a run, an executor or a Verify command, had for that very run. */
export const UnheardWord = z.object({
  /** The command, e.g. `pause`, and which words of a person it had. */
  word: z.string().max(200),
  /** The `FIXPOINT_KEY` of the call. */
  key: z.string().max(200),
  by: Speaker,
});
export type UnheardWord = z.infer<typeof UnheardWord>;
