import * as z from "zod";

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
