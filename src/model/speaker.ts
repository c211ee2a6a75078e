import * as z from "zod";

/** The process that has said something to a run, and its terminal; null where that is not known. */
export const Speaker = z.object({
  /**
   * A person at a terminal, a person over the page, a program without a terminal, or a process within the run itself, such as
   * its executor.
   */
  kind: z.enum(["terminal", "page", "program", "run"]),
  /** The terminal it was said at, e.g. `/dev/pts/3`; null when at none. */
  terminal: z.string().max(200).nullable(),
  /** Name and id of the process that has called the command. */
  process: z.string().max(200).nullable(),
  pid: z.int().nullable(),
  /** Id of the message that it was left in for the run; not given when the run received it itself. */
  word: z.string().max(64).optional(),
});
export type Speaker = z.infer<typeof Speaker>;

/** Whether it is a person who speaks. Without a speaker it is the program that drives the run. */
export const isPerson = (by: Speaker | undefined): boolean => by?.kind === "terminal" || by?.kind === "page";

/** The speaker as a part of a record; nothing for the program that drives the run itself. */
export const spokenBy = (by: Speaker | undefined): { readonly by?: Speaker } => (by === undefined ? {} : { by });

/** A message that a call of a run, an executor or a Verify command, had for that very run. */
export const UnheardWord = z.object({
  /** The command, e.g. `pause`, and which words of a person it had. */
  word: z.string().max(200),
  /** The `FIXPOINT_KEY` of the call. */
  key: z.string().max(200),
  by: Speaker,
});
export type UnheardWord = z.infer<typeof UnheardWord>;
