import type { KnownPlan } from "../../effects/known-plan.ts";
import type { RunMemory } from "../../effects/run-memory.ts";
import type { PlanBases } from "./rebuild-base.ts";

/** Passes behind which the plan is kept anew. */
const passes = 64;

/**
 * Keep the plan as it is known whenever many tasks have passed, for the next start has to make again what was edited
 * since. To be asked whenever a delegation was admitted.
 */
export function keepAnew(
  { keep }: Pick<PlanBases, "keep">,
  memory: Pick<RunMemory, "accepted" | "batch" | "inFlight">,
  plan: Pick<KnownPlan, "known">,
): () => void {
  const { accepted, inFlight } = memory;
  let kept = accepted.size;
  return () => {
    if (accepted.size - kept < passes) return;
    // What a member of a batch has ticked may not be recorded yet.
    if (inFlight().size > 1 || memory.batch.some((member) => accepted.has(member))) return;
    kept = accepted.size;
    // Where it cannot be kept, the next start has more to do and nothing is lost.
    plan
      .known()
      .then(({ text }) => keep(text))
      .catch(() => {});
  };
}
