import type { Answer, EffectInput } from "../../model/effect.ts";
import type { WholePorts } from "../with-memory.ts";
import { asAnswer, shipping } from "./outside.ts";

/** Rerun a red check. The forge does this once per head, however often it is asked. */
export async function rerunCheck(
  ports: WholePorts,
  { key, check, job, head }: EffectInput<"rerunCheck">,
  signal: AbortSignal,
): Promise<Answer<"rerunCheck">> {
  ports.attempts.record([{ type: "shipping", key, act: "rerun", target: check }]);
  const outcome = await shipping(ports).forge.rerun({ job, head }, signal);
  // A check that cannot rerun counts as it is.
  return outcome.kind === "hindered" ? asAnswer(outcome) : { kind: "rerun", check };
}

/** Ask the forge to merge the base into the branch. */
export async function updateBranch(
  ports: WholePorts,
  { number, head }: EffectInput<"updateBranch">,
  signal: AbortSignal,
): Promise<Answer<"updateBranch">> {
  const outcome = await shipping(ports).forge.updateBranch(number, head, signal);
  return outcome.kind === "done" ? outcome : asAnswer(outcome);
}
