import { type UnfitBranch, unfitHere, unfitThere } from "../../../effects/shipping/unfit-branch.ts";
import { InputError } from "../../../model/errors.ts";
import type { Policy } from "../../../model/policy.ts";
import type { PullRequestPolicy } from "../../../model/pull-request-policy.ts";
import type { WayOn } from "../../../model/way-on.ts";
import type { Branch } from "../../../ports/branch.ts";
import type { Forge } from "../../../ports/forge.ts";
import { optionsIn } from "../executors/resolve-executors.ts";
import type { RunOptions } from "../run-options.ts";

/** What a start knows of the pull request that it is to bring about. */
interface Shipping {
  readonly policy: Policy;
  readonly branch: Branch;
  readonly forge: Forge;
  readonly executors: RunOptions["executors"];
  /** Whether the run is begun here: what one has left that goes on is its own matter. */
  readonly fresh: boolean;
  /** Whether the run has a pull request already: what has become of that is its own matter, too. */
  readonly isKnown: boolean;
}

/**
 * Check that a pull request can come of a run, before anything is delegated. What cannot be reached for now is waited for
 * by the run itself.
 *
 * @returns The branch that is to be made first; null when it is checked out.
 * @throws {InputError} `executor-cannot-commit`, `branch-unfit`, `base-missing`, `forge-refused`, `pull-request-unfit`
 */
export async function checkShipping(shipping: Shipping, signal: AbortSignal): Promise<string | null> {
  const { policy, branch, isKnown, fresh } = shipping;
  /** What is not committed is left by an attempt, or fixpoint commits it. */
  const isLeft = !fresh || policy.commit === "all";
  const wanted = policy.pullRequest as PullRequestPolicy;
  checkCommits(shipping);
  const local = await branch.local();
  const name = wanted.branch ?? local.branch;
  const isNew = fresh && name !== null && name !== local.branch;
  const asItWillBe = { ...local, branch: isNew ? name : local.branch, dirty: isLeft ? [] : local.dirty };
  refuse(unfitHere(asItWillBe, name));
  const names = { remote: wanted.remote, branch: name as string, base: wanted.base };
  const there = await branch.remote(names, signal);
  if (there.kind === "refused") throw refusal({ about: "branch", ...there });
  if (there.kind === "remote") {
    refuse(unfitThere(names.branch, there, wanted));
    const base = wanted.base ?? there.defaultBranch;
    if (!isKnown) await checkForge(shipping, { name: names.branch, base }, signal);
  }
  return isNew ? name : null;
}

function refuse(found: UnfitBranch | null): void {
  if (found !== null) throw refusal(found);
}

const refusal = ({ about, reason, hint }: UnfitBranch): InputError =>
  about === "base"
    ? new InputError(`Cannot make a pull request. ${reason}`, { code: "base-missing", hint })
    : new InputError(`Cannot make a pull request. ${reason}`, { code: "branch-unfit", hint });

/** See that the forge can be asked at all, and that the pull request that was named is one of this branch. */
async function checkForge(
  { forge, policy }: Shipping,
  { name, base }: { readonly name: string; readonly base: string | null },
  signal: AbortSignal,
): Promise<void> {
  const number = policy.pullRequest?.number ?? null;
  const found = number === null ? await forge.find(name, base, signal) : await forge.look(number, signal);
  if (found.kind === "refused") {
    throw new InputError(`Cannot make a pull request: ${found.reason}`, { code: "forge-refused", hint: found.hint });
  }
  if (found.kind !== "look") return;
  const { state, branch, mayWrite } = found.look;
  if (state !== "open") throw unfitNumber(number, `it is ${state}`, "Name one that is open");
  if (branch !== name) {
    throw unfitNumber(
      number,
      `it is of the branch \`${branch}\`, not of \`${name}\``,
      `Check it out: git switch ${branch}`,
    );
  }
  if (!mayWrite) throw unfitNumber(number, "this login may not write into its repository", "Log in as one that may");
}

/** Nothing can be pushed that nobody commits: what a known tool may do by its own settings is not known. */
function checkCommits({ policy: { commit, permissions }, executors: { executor, rungs = {} } }: Shipping): void {
  if (commit === "all" || permissions !== "tool") return;
  for (const option of [executor, ...Object.values(rungs)].flatMap(optionsIn)) {
    if (typeof option !== "object" || option.args !== undefined || option.command !== undefined) continue;
    throw new InputError(`Cannot make a pull request: nothing says that ${option.preset} may commit`, {
      code: "executor-cannot-commit",
      ways: [
        { say: "Have fixpoint commit what each attempt leaves", words: ["--commit", "all"] },
        { say: "Or allow the tool to edit, to run Verify and to commit", words: ["--permissions", "edit"] },
      ] satisfies readonly WayOn[],
    });
  }
}

const unfitNumber = (number: number | null, why: string, hint: string): InputError =>
  new InputError(`Cannot use pull request ${number}: ${why}`, { code: "pull-request-unfit", hint });
