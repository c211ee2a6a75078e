import type { Ledger } from "../model/ledger.ts";
import { type Denial, globalCap, type Limit, type RunLimits } from "../model/limits.ts";

/**
 * Whether the run may have one more delegation: null, or the limit of the whole run that says no. The denial names
 * no task.
 *
 * @see docs/limits.md
 */
export function checkBudget(ledger: Ledger, policy: RunLimits): Denial | null {
  const limits: readonly (readonly [Limit, number, number | null])[] = [
    ["maxGlobalIterations", ledger.iterations, globalCap(policy, ledger.open)],
    ["maxRunTime", ledger.elapsedMs, policy.maxRunTime],
    ["maxCost", ledger.costUsd, policy.maxCost],
    ["maxTokens", ledger.tokens, policy.maxTokens],
  ];
  for (const [limit, spent, max] of limits) {
    if (max !== null && spent >= max) return { kind: "denied", limit, task: "", max };
  }
  return null;
}
