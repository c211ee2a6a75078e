import type { Answer, EffectInput } from "../../model/effect.ts";
import type { LocalBranch } from "../../ports/branch.ts";
import type { WholePorts } from "../with-memory.ts";
import { asAnswer, ask, type ShippingPorts, shipping } from "./outside.ts";
import { unfitHere, unfitThere } from "./unfit-branch.ts";

type Pushing = Answer<"pushBranch">;

/** Push the branch by its full name, never forced, and never a protected branch. */
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
      return ask(`A hook of this repository rejected the push: ${outcome.output}`, `Make it pass, then ${goOn}`);
    case "hindered":
    case "refused":
      return asAnswer(outcome);
  }
}

const goOn = "commit the changes for the pull request, then run again";

/** The files of the spec change with every tick, so they are committed only before a push. */
async function commitSpec({ git, plan, branch }: ShippingPorts, wanted: boolean): Promise<LocalBranch> {
  if (wanted) await plan.exclusively(async () => git?.commit("chore(spec): update progress"));
  return branch.local();
}
