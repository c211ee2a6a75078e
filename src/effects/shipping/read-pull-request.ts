import type { Answer, EffectInput } from "../../model/effect.ts";
import type { WholePorts } from "../with-memory.ts";
import { lookAndJudge } from "./look-and-judge.ts";
import { tickMilestones } from "./milestones.ts";
import { shipping } from "./outside.ts";

/** Look at the pull request once, and decide what to do. */
export async function readPullRequest(
  ports: WholePorts,
  input: EffectInput<"readPullRequest">,
  signal: AbortSignal,
): Promise<Answer<"readPullRequest">> {
  const judged = await lookAndJudge(shipping(ports), input, signal);
  if ("kind" in judged) return judged;
  const { judgement, wanting } = judged;
  // A pull request merged by someone has reached its goal.
  if (judgement.kind === "merged") await tickMilestones(ports, "opened", "checked", "reviewed", "confirmed");
  if (judgement.kind === "green") await tickMilestones(ports, "checked", "reviewed");
  return judgement.kind === "merged" ? { ...judgement, ...wanting } : judgement;
}
