import * as z from "zod";
import { Denial } from "./limits.ts";
import { Policy } from "./policy.ts";
import { Book, Cause } from "./pull-request-book.ts";

/** What the machine of a pull request keeps. Plain JSON. */
export const PullRequestContext = z.object({
  policy: Policy,
  /** Number of the coordinator's turn, and of the effect in it: they name what is asked for. */
  turn: z.int().min(1),
  step: z.int().min(0),
  /** What was done so far. */
  book: Book,
  /** What a task is added for; null where none is. */
  cause: Cause.nullable(),
  /** The check that is run again, by its name and its run; null where none is. */
  again: z.object({ check: z.string(), job: z.string() }).nullable(),
  /** The thread that is answered, for the task; null where none is. */
  reply: z.object({ thread: z.string(), comment: z.string(), task: z.string() }).nullable(),
  /** A head that somebody else has pushed; null without one. */
  foreign: z.string().nullable(),
  /** What is waited for, until when, and where to go on; null where nothing is. */
  wait: z.object({ back: z.string(), reason: z.string(), until: z.number() }).nullable(),
  /** The limit that ends it; null before. */
  stop: Denial.nullable(),
});
export type PullRequestContext = z.infer<typeof PullRequestContext>;
