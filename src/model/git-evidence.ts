import * as z from "zod";

/** Where the repository stood when an attempt began. */
export const GitMark = z.object({
  /** Full hash of HEAD; null before the first commit. */
  head: z.string().nullable(),
  /** When that was, in milliseconds since 1970. */
  at: z.number(),
  /** Hash of the content of each file of the spec, by its name; null for one that is not there. */
  files: z.record(z.string(), z.string().nullable()),
});
export type GitMark = z.infer<typeof GitMark>;

/** What has become of the repository since an attempt began. */
export const GitEvidence = z.object({
  headBefore: z.string().nullable(),
  headAfter: z.string().nullable(),
  /** HEAD names no branch. */
  detached: z.boolean(),
  /** The history no longer holds the commit the attempt began at. */
  rewritten: z.boolean(),
  /** Newest first, the first 50. */
  commits: z.array(z.object({ hash: z.string(), subject: z.string() })),
  /** Paths from the workspace that were changed since, committed or not; the first 200. */
  changed: z.array(z.string()),
  /** Files of the spec, by name, that the attempt changed and did not commit. */
  uncommitted: z.array(z.string()),
});
export type GitEvidence = z.infer<typeof GitEvidence>;
