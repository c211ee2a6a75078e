import type { PullRequestPolicy } from "../../model/pull-request-policy.ts";
import { isProtected, type LocalBranch, type RemoteBranch } from "../../ports/branch.ts";

/** Why a branch cannot have a pull request, and what a person can do. */
export interface UnfitBranch {
  readonly about: "branch" | "base";
  readonly reason: string;
  readonly hint: string;
}

const unfit = (reason: string, hint: string, about: UnfitBranch["about"] = "branch"): UnfitBranch => ({
  ...{ about, reason, hint: `${hint}, then run again` },
});

/**
 * Local reasons against a branch; null if there are none.
 *
 * @param name Branch name; null if neither the policy nor HEAD gives one.
 */
export function unfitHere({ head, branch, dirty }: LocalBranch, name: string | null): UnfitBranch | null {
  if (head === null) return unfit("There is no commit to push", "Commit the changes for the pull request");
  if (branch === null || name === null) {
    return unfit("HEAD is detached", "Check out the branch of the pull request, or name a new one with --branch");
  }
  if (branch !== name) return unfit(`\`${branch}\` is checked out, not \`${name}\``, `Check out \`${name}\``);
  if (isProtected(name)) return mergedInto(name);
  if (dirty.length === 0) return null;
  return unfit(
    `There are uncommitted changes: ${dirty.slice(0, 8).join(", ")}`,
    "Commit or remove them, or let fixpoint commit them with --commit all",
  );
}

/** Reasons of the remote against a branch; null if there are none. */
export function unfitThere(
  name: string,
  { defaultBranch, url, baseHead }: RemoteBranch,
  { base }: Pick<PullRequestPolicy, "base">,
): UnfitBranch | null {
  if (name === defaultBranch || name === base) return mergedInto(name);
  if (base === null && defaultBranch === null) {
    return unfit(`${url} names no default branch`, "Name the base with --base", "base");
  }
  if (base === null || baseHead !== null) return null;
  return unfit(`${url} has no branch \`${base}\``, "Name another --base", "base");
}

const mergedInto = (name: string): UnfitBranch =>
  unfit(
    `\`${name}\` is a protected or default branch, which fixpoint never pushes to`,
    "Check out a branch for the pull request, or create one with --branch",
  );
