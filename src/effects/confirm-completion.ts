import type { Answer, EffectInput } from "../model/effect.ts";
import { leftOut } from "../model/left-out.ts";
import { lookAtPlan } from "../model/look-at-plan.ts";
import type { Question } from "../model/question.ts";
import { verifyError } from "../recover/verify-error.ts";
import { runCheck } from "./run-check.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Look at the whole plan once more. Everything the coordinator knows as ticked was accepted by this run, or ticked
 * before it or by hand while it was stopped; the plan on the disk must say the same, also after the final check.
 */
export async function confirmCompletion(
  ports: WholePorts,
  { key, finalVerify, timeoutMs }: EffectInput<"confirmCompletion">,
  signal: AbortSignal,
): Promise<Answer<"confirmCompletion">> {
  const changed = await askAboutPlan(ports);
  const out = leftOut((await ports.plan.known()).plan, ports.attempts.skipped().keys());
  const done = { kind: out.size > 0 ? "skipped" : "complete" } as const;
  if (changed !== null || finalVerify === null) return changed ?? done;
  ports.onProgress?.({ type: "check.started", command: finalVerify });
  const { result, digest } = await runCheck(ports, { command: finalVerify, name: key, timeoutMs }, signal);
  if (result.exitCode !== 0 || result.timedOut) {
    const { exitCode, timedOut } = result;
    return {
      kind: "gate",
      reason: verifyError({ exitCode, timedOut, digest }).replace("Verify", "The final check"),
      hint: `Make \`${finalVerify}\` pass, then run again`,
    };
  }
  return (await askAboutPlan(ports)) ?? done;
}

async function askAboutPlan({ plan, attempts }: WholePorts): Promise<Question | null> {
  const reading = await plan.read();
  const known = reading.known.plan;
  const found = reading.found.plan;
  const accounted = new Set(known.tasks.filter(({ done }) => done).map(({ id }) => id));
  const out = leftOut(known, attempts.skipped().keys());
  const open = found.tasks.filter(({ id, done }) => !(done ? accounted : out).has(id)).map(({ id }) => id);
  const gone = [...accounted].filter((id) => !found.tasks.some((task) => task.id === id));
  if (found.tasks.length > 0 && open.length === 0 && gone.length === 0) return null;
  return {
    kind: "gate",
    reason: `The plan was changed at the end of the run: ${[...open, ...gone].join(", ") || "it has no task"}`,
    hint: lookAtPlan(", then run again", plan.keptAt),
  };
}
