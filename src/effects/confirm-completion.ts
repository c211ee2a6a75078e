import type { EffectInput } from "../model/effect.ts";
import { leftOut } from "../model/left-out.ts";
import { lookAtPlan } from "../model/look-at-plan.ts";
import type { Question } from "../model/question.ts";
import type { Outcome } from "../ports/attempt-record.ts";
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
): Promise<Outcome<"confirmCompletion">> {
  const changed = await askAboutPlan(ports);
  const out = leftOut((await ports.plan.known()).plan, ports.attempts.skipped().keys());
  const done = { kind: out.size > 0 ? "skipped" : "complete" } as const;
  if (changed !== null || finalVerify === null) return { answer: changed ?? done };
  ports.onProgress?.({ type: "check.started", command: finalVerify });
  const run = await runCheck(ports, { command: finalVerify, name: key, timeoutMs }, signal);
  const facts = { verify: run };
  const { exitCode, timedOut } = run.result;
  if (exitCode !== 0 || timedOut) {
    const reason = verifyError({ ...run.result, digest: run.digest }).replace("Verify", "The final check");
    return { answer: { kind: "gate", reason, hint: `Make \`${finalVerify}\` pass, then run again` }, facts };
  }
  return { answer: (await askAboutPlan(ports)) ?? done, facts };
}

async function askAboutPlan({ plan, attempts }: WholePorts): Promise<Question | null> {
  const reading = await plan.read();
  const known = reading.known.plan;
  const found = reading.found.plan;
  const accounted = new Set(known.tasks.filter(({ done }) => done).map(({ id }) => id));
  const out = leftOut(known, attempts.skipped().keys());
  const open = found.tasks.filter(({ id, done }) => !(done ? accounted : out).has(id)).map(({ id }) => id);
  const there = new Set(found.tasks.map(({ id }) => id));
  const gone = [...accounted].filter((id) => !there.has(id));
  if (found.tasks.length > 0 && open.length === 0 && gone.length === 0) return null;
  return {
    kind: "gate",
    reason: `The plan was changed at the end of the run: ${[...open, ...gone].join(", ") || "it has no task"}`,
    hint: lookAtPlan(", then run again", plan.keptAt),
  };
}
