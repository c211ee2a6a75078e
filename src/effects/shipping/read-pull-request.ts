import type { Answer, EffectInput } from "../../model/effect.ts";
import type { WholePorts } from "../with-memory.ts";
import { lookAndJudge } from "./look-and-judge.ts";
import { tickMilestones } from "./milestones.ts";
import { shipping } from "./outside.ts";

/** One look at the pull request, and what is to be done about it. */
export async function readPullRequest(
  ports: WholePorts,
  input: EffectInput<"readPullRequest">,
  signal: AbortSignal,
): Promise<Answer<"readPullRequest">> {
  const judged = await lookAndJudge(shipping(ports), input, signal);
  if ("kind" in judged) return judged;
  const { judgement, wanting } = judged;
  // What somebody has merged is as it was to be.
  if (judgement.kind === "merged") await tickMilestones(ports, "opened", "checked", "reviewed", "confirmed");
  if (judgement.kind === "green") await tickMilestones(ports, "checked", "reviewed");
  return judgement.kind === "merged" ? { ...judgement, ...wanting } : judgement;
}
