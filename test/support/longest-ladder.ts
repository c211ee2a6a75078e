import { totalCap } from "../../src/model/limits.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";

/**
 * Longest run of one planned task, if failed checks are unknown. Each failure adds one delegation (retry), two (fix) or
 * three (parts).
 */
export function longestLadder(given: PolicyInput): number {
  const policy = Policy.parse(given);
  const has = (rung: Policy["recovery"][number]): boolean => policy.recovery.includes(rung);
  const levels = (has("pivot") ? policy.maxPivotAttempts : 0) + (has("research") ? policy.maxResearchAttempts : 0);
  const cap = totalCap(policy) ?? Number.POSITIVE_INFINITY;
  // With levels in the ladder, the limit counts attempts on levels instead of failed attempts.
  const climbs = Math.min(levels, cap);
  const failures = has("pivot") || has("research") ? Number.POSITIVE_INFINITY : cap - 1;
  const budget = has("repair") ? policy.repairBudget : 0;
  const mostFixes = has("fix") ? Math.min(policy.maxFixTasksPerRoot, treeBelow(policy, 0)) : 0;
  let longest = 0;
  for (let fixes = 0; fixes <= mostFixes; fixes++) {
    // The operator decides only on tasks that can have no further fix, and never on parts.
    const splits = has("fix") && unfixable(policy, fixes) < 1 ? 0 : budget;
    for (let split = 0; split <= splits; split++) {
      const left = failures - fixes - split;
      if (left < 0) continue;
      const again = retriesIn(policy, fixes, split) + climbs;
      longest = Math.max(longest, 1 + Math.min(again, left) + 2 * fixes + 3 * split);
    }
  }
  return longest;
}

function retriesIn(policy: Policy, fixes: number, splits: number): number {
  const most = policy.maxTaskIterations - 1;
  if (policy.recovery.every((rung) => rung === "retry") || policy.recovery.includes("retry")) {
    return most * (1 + fixes + 3 * splits);
  }
  // The claim of a task in parts may also be rejected, which adds no count to any part.
  return rejectedIn(policy, fixes, most) + Math.min(most, 1) * 3 * splits + (most > 1 ? splits : 0);
}

function rejectedIn(limits: FixLimits, fixes: number, most: number): number {
  const below = (depth: number, left: number): number => {
    const places = depth === limits.maxFixTaskDepth ? 0 : limits.maxFixTasksPerOriginal;
    let best = Number.NEGATIVE_INFINITY;
    for (let own = 0; own <= Math.min(places, left); own++) {
      best = Math.max(best, Math.min(most, 1 + own) + spread(depth + 1, left - own, own));
    }
    return best;
  };
  const spread = (depth: number, left: number, trees: number): number => {
    if (trees === 0) return left === 0 ? 0 : Number.NEGATIVE_INFINITY;
    let best = Number.NEGATIVE_INFINITY;
    for (let first = 0; first <= left; first++) {
      best = Math.max(best, below(depth, first) + spread(depth, left - first, trees - 1));
    }
    return best;
  };
  return below(0, fixes);
}

type FixLimits = Pick<Policy, "maxFixTasksPerOriginal" | "maxFixTaskDepth" | "maxFixTasksPerRoot">;

const treeBelow = (limits: FixLimits, depth: number): number =>
  depth === limits.maxFixTaskDepth ? 0 : limits.maxFixTasksPerOriginal * (1 + treeBelow(limits, depth + 1));

function unfixable(limits: FixLimits, fixes: number): number {
  if (fixes === limits.maxFixTasksPerRoot) return 1 + fixes;
  const below = (depth: number, left: number): number => {
    if (depth === limits.maxFixTaskDepth) return left === 0 ? 1 : Number.NEGATIVE_INFINITY;
    return spread(depth, left, limits.maxFixTasksPerOriginal);
  };
  const spread = (depth: number, left: number, places: number): number => {
    if (places === 0) return left === 0 ? 1 : Number.NEGATIVE_INFINITY;
    // A task with a free place can have another fix and does not count.
    let most = left === 0 ? 0 : Number.NEGATIVE_INFINITY;
    for (let first = 1; first <= left; first++) {
      most = Math.max(most, below(depth + 1, first - 1) + spread(depth, left - first, places - 1));
    }
    return most;
  };
  return below(0, fixes);
}
