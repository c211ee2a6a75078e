import type { Answer, EffectInput } from "../../model/effect.ts";
import type { PullRequestPolicy } from "../../model/pull-request-policy.ts";
import { isProtected, type LocalBranch, type RemoteBranch } from "../../ports/branch.ts";
import type { WholePorts } from "../with-memory.ts";
import { asAnswer, ask, type ShippingPorts, shipping } from "./shipping-ports.ts";

type Pushing = Answer<"pushBranch">;

/** Push the branch by its full name, without force. For a protected branch, a person is asked instead. */
export async function pushBranch(
  whole: WholePorts,
  { key, policy, head, commit }: EffectInput<"pushBranch">,
  signal: AbortSignal,
): Promise<Pushing> {
  const ports = shipping(whole);
  const { attempts, branch, clock } = ports;
  const local = await commitSpec(ports, commit);
  const name = policy.branch ?? local.branch;
  const unfit = unfitHere(local, name);
  if (unfit !== null) return ask(unfit.reason, unfit.hint);
  const names = { remote: policy.remote, branch: name as string, base: policy.base };
  const remote = await branch.remote(names, signal);
  if (remote.kind !== "remote") return asAnswer(remote);
  const base = policy.base ?? remote.defaultBranch;
  const refused = unfitThere(name as string, remote, policy);
  if (refused !== null) return ask(refused.reason, refused.hint);
  const own = local.head as string;
  const pushed = (): Pushing => ({ kind: "pushed", head: own, fresh: own !== head, at: clock.now() });
  if (remote.head === own) return pushed();
  if (head !== null && remote.head !== head) return { kind: "moved", head: remote.head };
  const ahead = await branch.ahead({ remote: policy.remote, base: base as string }, signal);
  if (ahead.kind !== "ahead") return asAnswer(ahead);
  if (ahead.count === 0) return ask(`There is nothing to push: \`${name}\` has no commit beyond \`${base}\``, goOn);
  attempts.record([{ type: "shipping", key, act: "push", target: own }]);
  const outcome = await branch.push(
    { remote: policy.remote, branch: name as string, commit: own, expect: remote.head },
    signal,
  );
  switch (outcome.kind) {
    case "pushed":
      return pushed();
    case "moved":
      return { kind: "moved", head: outcome.head };
    case "hook":
      return ask(`A hook of this repository rejected the push: ${outcome.output}`, `Make the hook pass, then ${goOn}`);
    case "hindered":
    case "refused":
      return asAnswer(outcome);
  }
}

const goOn = "commit the changes for the pull request, then run again";

/** Commit the files of the spec. Called only before a push, since every tick changes these files. */
async function commitSpec({ git, plan, branch }: ShippingPorts, wanted: boolean): Promise<LocalBranch> {
  if (wanted) await plan.exclusively(async () => git?.commit("chore(spec): update progress"));
  return branch.local();
}

export async function adoptHead(
  whole: WholePorts,
  { policy, head }: EffectInput<"adoptHead">,
  signal: AbortSignal,
): Promise<Answer<"adoptHead">> {
  const { branch, clock } = shipping(whole);
  const { branch: current, dirty } = await branch.local();
  const name = policy.branch ?? current;
  if (head === "" || name === null) {
    return ask("The branch is gone from the remote", "Push the branch again, or close the pull request");
  }
  if (dirty.length > 0) {
    return ask("Someone has pushed to the branch, and there are uncommitted changes here", "Commit, then run again");
  }
  const outcome = await branch.adopt({ remote: policy.remote, branch: name, head }, signal);
  if (outcome.kind === "adopted") return { kind: "adopted", head, authors: [...outcome.authors], at: clock.now() };
  if (outcome.kind !== "diverged") return asAnswer(outcome);
  return ask(
    `Someone has pushed other commits to \`${name}\`, which are never overwritten`,
    `Merge \`${policy.remote}/${name}\` into \`${name}\`, then run again`,
  );
}

export interface UnfitBranch {
  readonly about: "branch" | "base";
  readonly reason: string;
  readonly hint: string;
}

const unfit = (reason: string, hint: string, about: UnfitBranch["about"] = "branch"): UnfitBranch => ({
  ...{ about, reason, hint: `${hint}, then run again` },
});

/**
 * Find out from local facts why a branch cannot have a pull request; null if a pull request is possible.
 *
 * @param name Branch name; null if neither the policy nor HEAD gives a name.
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

/** Find out from the remote why a branch cannot have a pull request; null if a pull request is possible. */
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
