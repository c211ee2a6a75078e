import * as z from "zod";

/** State of the repository when an attempt began. */
export const GitMark = z.object({
  /** Full hash of HEAD; null before the first commit. */
  head: z.string().nullable(),
  /** Time of the mark, in milliseconds since 1970. */
  at: z.number(),
  /** Content hash of each file of the spec, by name; null for a missing file. */
  files: z.record(z.string(), z.string().nullable()),
});
export type GitMark = z.infer<typeof GitMark>;

/** Changes to the repository since an attempt began. */
export const GitEvidence = z.object({
  headBefore: z.string().nullable(),
  headAfter: z.string().nullable(),
  /** HEAD names no branch. */
  detached: z.boolean(),
  /** Whether the history no longer contains the commit from the beginning of the attempt. */
  rewritten: z.boolean(),
  /** Newest first, at most 50. */
  commits: z.array(z.object({ hash: z.string(), subject: z.string() })),
  /** Paths of files changed since the attempt began, relative to the workspace, committed or not; at most 200. */
  changed: z.array(z.string()),
  /** Files of the spec, by name, that the attempt changed and did not commit. */
  uncommitted: z.array(z.string()),
});
export type GitEvidence = z.infer<typeof GitEvidence>;

/** A checked-out branch, to which commits go. */
export const Checkout = z.object({
  /** Absolute folder of the working tree. */
  root: z.string(),
  /** Without `refs/heads/`; null when HEAD is detached. */
  branch: z.string().nullable(),
  /** Full hash of the last commit; null before the first one. */
  head: z.string().nullable(),
});
export type Checkout = z.infer<typeof Checkout>;

/** Description of a checkout for people; null if there is no repository. */
export function describeCheckout(checkout: Checkout | null): string {
  if (checkout === null) return "no repository";
  const { root, branch, head } = checkout;
  return `${branch === null ? `a detached HEAD at ${head?.slice(0, 12)}` : `branch \`${branch}\``} of \`${root}\``;
}

/** State before an attempt, against which its changes are measured. */
export const Baseline = z.object({
  /** Abbreviated HEAD; null without a repository. */
  headBefore: z.string().nullable(),
  /** Mark of the repository; null without a repository. */
  mark: GitMark.nullable(),
  /** Fingerprint of the files; null if unknown. */
  fileState: z.string().nullable(),
});
export type Baseline = Readonly<z.infer<typeof Baseline>>;
