import type { Checkout } from "../../model/checkout.ts";
import { callGit } from "./call-git.ts";
import { isHash } from "./read-head.ts";

/** The branch that is checked out; null when HEAD is detached, and without a repository. */
export async function readBranch(cwd: string): Promise<string | null> {
  const end = await callGit(["symbolic-ref", "--quiet", "HEAD"], { cwd });
  return end?.exitCode === 0 ? end.stdout.trimEnd().replace(/^refs\/heads\//, "") : null;
}

/**
 * Read what is checked out around a workspace, as git itself has it; null without a repository.
 *
 * @param workspace Absolute folder.
 * @param spec Absolute folder of the spec: a repository of its own has another root.
 */
export async function readCheckout(workspace: string, spec: string): Promise<Checkout | null> {
  const ask = async (cwd: string, ...args: string[]): Promise<string | null> => {
    const end = await callGit(args, { cwd });
    return end?.exitCode === 0 ? end.stdout.trimEnd() : null;
  };
  const [root, rootOfSpec, branch, head] = await Promise.all([
    ask(workspace, "rev-parse", "--show-toplevel"),
    ask(spec, "rev-parse", "--show-toplevel"),
    readBranch(workspace),
    ask(workspace, "rev-parse", "--quiet", "--verify", "HEAD^{commit}"),
  ]);
  if (root === null) return null;
  return {
    root: rootOfSpec === root ? root : `${root}, not of the spec in ${rootOfSpec ?? "no repository"}`,
    branch,
    head: head !== null && isHash(head) ? head : null,
  };
}

/**
 * Compare two checkouts: true if commits go to the same branch of the same repository. A detached HEAD may move forward
 * only.
 */
export async function isSameCheckout(before: Checkout, now: Checkout | null): Promise<boolean> {
  if (now === null || now.root !== before.root || now.branch !== before.branch) return false;
  if (before.head === null || before.head === now.head) return true;
  const { head, root: cwd } = before;
  // Another repository in the same place does not have the commit.
  const words =
    now.branch === null ? ["merge-base", "--is-ancestor", head, "HEAD"] : ["cat-file", "-e", `${head}^{commit}`];
  return (await callGit(words, { cwd }))?.exitCode === 0;
}
