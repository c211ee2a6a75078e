import type { Answer, EffectInput } from "../../model/effect.ts";
import type { WholePorts } from "../with-memory.ts";
import { asAnswer, ask, shipping } from "./outside.ts";

/** Fast-forward to the commits that someone else pushed to the branch. */
export async function adoptHead(
  whole: WholePorts,
  { policy, head }: EffectInput<"adoptHead">,
  signal: AbortSignal,
): Promise<Answer<"adoptHead">> {
  const { branch, clock } = shipping(whole);
  const { branch: current, dirty } = await branch.local();
  const name = policy.branch ?? current;
  if (head === "" || name === null) {
    return ask("The branch is gone from the remote", "Push it again, or close the pull request");
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
