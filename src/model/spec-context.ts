import * as z from "zod";
import { Chosen, Member } from "./chosen.ts";
import { SpentByTask } from "./ledger.ts";
import { Denial } from "./limits.ts";
import { Policy } from "./policy.ts";
import { Book } from "./pull-request-book.ts";

/** What the coordinator keeps. The plan is not among it: it is read where it is needed. Plain JSON. */
export const SpecContext = z.object({
  policy: Policy,
  /** No delegation begins. */
  paused: z.boolean(),
  /** Times a task, or a batch, was chosen. */
  turn: z.int().min(0),
  /** The task that is being finished. */
  chosen: Chosen.extend({ alwaysFixed: z.boolean() }).nullable(),
  /** The batch that is being finished, in the order of the plan. */
  members: z.array(Member),
  /** The limit that ends the run as soon as the cleanup is done. */
  stop: z.object({ task: z.string(), denial: Denial, lastError: z.string().nullable(), spent: SpentByTask }).nullable(),
  /** Cleanup tasks that were carried out since. */
  cleaned: z.array(z.string()),
  /** What was done for the pull request before this turn; not there where nothing was. */
  book: Book.optional(),
});
export type SpecContext = z.infer<typeof SpecContext>;
