import type { KnownPlan } from "../effects/known-plan.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import type { PlanBases } from "../ports/journal.ts";

/** The plan is kept after so many turns, or more if it is long. */
const often = 64;
/** Characters of the plan that a turn may cost on average. */
const mostPerTurn = 8 * 1024;

/** Keeps the plan as it is known, so that the next start has to repeat few edits. */
interface PlanKeeper {
  /** Keep it where that was done many turns ago. To be asked whenever a delegation was admitted. */
  whenDue(): void;
  /** Rejects where it cannot be kept. */
  now(): Promise<void>;
}

export function keepPlan(
  { keep }: Pick<PlanBases, "keep">,
  memory: Pick<RunMemory, "state" | "isAccepted" | "batch" | "inFlight">,
  plan: Pick<KnownPlan, "known">,
): PlanKeeper {
  let kept = memory.state.turns;
  let length = 0;
  const now = async (): Promise<void> => {
    kept = memory.state.turns;
    const { text } = await plan.known();
    ({ length } = text);
    keep(text);
  };
  return {
    now,
    whenDue: () => {
      if (memory.state.turns - kept < Math.max(often, length / mostPerTurn)) return;
      // What a member of a batch has ticked may not be recorded yet.
      if (memory.inFlight().size > 1 || memory.batch.some(memory.isAccepted)) return;
      // Where it cannot be kept, the next start has more to do and nothing is lost.
      now().catch(() => {});
    },
  };
}
