import type { Answer, EffectInput } from "../../model/effect.ts";
import type { WholePorts } from "../with-memory.ts";
import { asAnswer, shipping } from "./outside.ts";

/** Run a red check once more. The forge does so once for each head, however often it is asked. */
export async function rerunCheck(
  ports: WholePorts,
  { key, check, job, head }: EffectInput<"rerunCheck">,
  signal: AbortSignal,
): Promise<Answer<"rerunCheck">> {
  ports.attempts.record([{ type: "shipping", key, act: "rerun", target: check }]);
  const outcome = await shipping(ports).forge.rerun({ job, head }, signal);
  // What cannot be run again counts as it is.
  return outcome.kind === "hindered" ? asAnswer(outcome) : { kind: "rerun", check };
}

/** Have the forge take the base into the branch. */
export async function updateBranch(
  ports: WholePorts,
  { number, head }: EffectInput<"updateBranch">,
  signal: AbortSignal,
): Promise<Answer<"updateBranch">> {
  const outcome = await shipping(ports).forge.updateBranch(number, head, signal);
  return outcome.kind === "done" ? outcome : asAnswer(outcome);
}
