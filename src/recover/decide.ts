import type { Denial } from "../model/effect.ts";
import { emptyLedger, spentOn } from "../model/ledger.ts";
import type { Rung } from "../model/policy.ts";
import type { TaskContext } from "../model/task-context.ts";
import { checkLimit } from "./check-limit.ts";

/** What a decision is made from. */
export type DecisionContext = Pick<TaskContext, "current" | "spent" | "policy" | "failure">;

/** The next move after an attempt that was not accepted. */
export type Decision =
  | { readonly kind: "retry" }
  | { readonly kind: "fix" }
  | { readonly kind: "exhausted"; readonly denial: Denial };

/**
 * The first remedy of the policy that the limits still allow; a rejected claim is only ever retried. The limits of
 * the whole run are asked where a delegation is admitted, since one task cannot see them.
 */
export function decide(context: DecisionContext): Decision {
  const { policy, failure, current, spent } = context;
  const max = policy.maxTaskIterations;
  const outOfRetries: Denial = { kind: "denied", limit: "maxTaskIterations", task: current, max };
  const refusals: Record<Rung, () => Denial | null> = {
    retry: () => (spentOn(spent, current).retries + 1 < max ? null : outOfRetries),
    fix: () => checkLimit({ ...emptyLedger, tasks: spent }, policy, current),
  };
  let last = outOfRetries;
  for (const rung of failure === null ? (["retry"] as const) : policy.recovery) {
    const denial = refusals[rung]();
    if (denial === null) return { kind: rung };
    last = denial;
  }
  return { kind: "exhausted", denial: last };
}
