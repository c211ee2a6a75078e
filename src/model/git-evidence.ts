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

/** A branch that is checked out in a repository: where a commit goes. */
export const Checkout = z.object({
  /** Absolute folder of the working tree. */
  root: z.string(),
  /** Without `refs/heads/`; null when HEAD is detached. */
  branch: z.string().nullable(),
  /** Full hash of the last commit; null before the first one. */
  head: z.string().nullable(),
});
export type Checkout = z.infer<typeof Checkout>;

/** A checkout, for people; null when there is no repository. */
export function describeCheckout(checkout: Checkout | null): string {
  if (checkout === null) return "no repository";
  const { root, branch, head } = checkout;
  return `${branch === null ? `a detached HEAD at ${head?.slice(0, 12)}` : `branch \`${branch}\``} of \`${root}\``;
}

/** How things stood when an attempt began, which what it has done is told from. */
export const Baseline = z.object({
  /** HEAD, abbreviated; null without a repository. */
  headBefore: z.string().nullable(),
  /** The repository; null without one. */
  mark: GitMark.nullable(),
  /** State of the files; null when it is not known. */
  fileState: z.string().nullable(),
});
export type Baseline = Readonly<z.infer<typeof Baseline>>;
