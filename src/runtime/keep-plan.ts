import type { KnownPlan } from "../effects/known-plan.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import type { PlanBases } from "../ports/journal.ts";

/** Turns behind which the plan is kept anew. */
const often = 64;

/**
 * Keep the plan as it is known every so many turns, for the next start has to make again what was edited
 * since. To be asked whenever a delegation was admitted.
 */
export function keepPlan(
  { keep }: Pick<PlanBases, "keep">,
  memory: Pick<RunMemory, "state" | "isAccepted" | "batch" | "inFlight">,
  plan: Pick<KnownPlan, "known">,
): () => void {
  let kept = memory.state.turns;
  return () => {
    const { turns } = memory.state;
    if (turns - kept < often) return;
    // What a member of a batch has ticked may not be recorded yet.
    if (memory.inFlight().size > 1 || memory.batch.some(memory.isAccepted)) return;
    kept = turns;
    // Where it cannot be kept, the next start has more to do and nothing is lost.
    plan
      .known()
      .then(({ text }) => keep(text))
      .catch(() => {});
  };
}
