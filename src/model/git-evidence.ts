import * as z from "zod";

/** State of the repository when an attempt began. */
export const GitMark = z.object({
  /** Full hash of HEAD; null before the first commit. */
  head: z.string().nullable(),
  /** Milliseconds since 1970. */
  at: z.number(),
  files: z.record(z.string(), z.string().nullable()),
});
export type GitMark = z.infer<typeof GitMark>;

/** Changes to the repository since an attempt began. */
export const GitEvidence = z.object({
  headBefore: z.string().nullable(),
  headAfter: z.string().nullable(),
  /** Whether HEAD is not on a branch. */
  detached: z.boolean(),
  /** Whether HEAD no longer descends from the commit at the beginning of the attempt. */
  rewritten: z.boolean(),
  /** Newest first, at most 50. */
  commits: z.array(z.object({ hash: z.string(), subject: z.string() })),
  /**
   * Files that changed since the beginning of the attempt, committed or not, as paths relative to the workspace; at
   * most 200.
   */
  changed: z.array(z.string()),
  /** Names of spec files that the attempt changed and did not commit. */
  uncommitted: z.array(z.string()),
});
export type GitEvidence = z.infer<typeof GitEvidence>;

/** A working tree and the branch that its commits go to. */
export const Checkout = z.object({
  /** Absolute folder of the working tree. */
  root: z.string(),
  /** Without `refs/heads/`; null when HEAD is detached. */
  branch: z.string().nullable(),
  head: z.string().nullable(),
});
export type Checkout = z.infer<typeof Checkout>;

export function describeCheckout(checkout: Checkout | null): string {
  if (checkout === null) return "no repository";
  const { root, branch, head } = checkout;
  return `${branch === null ? `a detached HEAD at ${head?.slice(0, 12)}` : `branch \`${branch}\``} of \`${root}\``;
}

/** State before an attempt; changes of the attempt are measured against it. */
export const Baseline = z.object({
  headBefore: z.string().nullable(),
  /** Null without a repository. */
  mark: GitMark.nullable(),
  fileState: z.string().nullable(),
});
export type Baseline = Readonly<z.infer<typeof Baseline>>;
