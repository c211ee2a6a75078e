import * as z from "zod";
import { FailureSet } from "./failure-set.ts";

/** The failure that a fix task was made for, as far as it takes to tell whether it is gone. */
export const MadeFor = z.object({
  fingerprint: z.string(),
  /** What failed, where tools name or count it. */
  failing: FailureSet.optional(),
  /** The name in that set of the failure that its title tells. */
  first: z.string().optional(),
});
export type MadeFor = z.infer<typeof MadeFor>;

/** A task generated from a failure. Every text is untrusted and still as it came in; the markdown room encodes it. */
export const FixTask = z.object({
  id: z.string(),
  /** The task it repairs. */
  fixOf: z.string(),
  /** At most 50 characters of the error, one line. */
  summary: z.string(),
  /** At most 500 characters. */
  error: z.string(),
  /** At most 500 characters. */
  attemptedFix: z.string(),
  /** What is to hold when it is done, at most 500 characters. */
  doneWhen: z.string(),
  /** The repaired task's own Files, as written there, or their fallback. */
  files: z.string(),
  /** The repaired task's own Verify, as written there; null where that has none that can be run. */
  verify: z.string().nullable(),
  /** Commit message without code marks. */
  commit: z.string(),
  madeFor: MadeFor.optional(),
  /** The fix task whose place it takes. */
  supersedes: z.string().optional(),
});
export type FixTask = Readonly<z.infer<typeof FixTask>>;

/**
 * What has become of a task that failed or had fixes: for now a limit has stopped it, it waits for a person, or it is
 * left out; or it is done, by itself, by a person, or as a fix task whose place another one has taken.
 */
export const FixEnd = z.enum(["PASS", "FAIL (max limit)", "WAITING", "SKIPPED", "done by hand", "superseded"]);
export type FixEnd = z.infer<typeof FixEnd>;
