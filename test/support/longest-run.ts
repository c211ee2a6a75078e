import type { Policy } from "../../src/model/policy.ts";

type Limits = Pick<
  Policy,
  "recovery" | "maxTaskIterations" | "maxFixTasksPerOriginal" | "maxFixTaskDepth" | "maxFixTasksPerRoot"
>;

/**
 * Delegations of the longest run of one root task. Every task of its tree is delegated once and once more after each of
 * its fixes, and each may be rejected until its iterations are spent.
 */
export function longestRun(policy: Limits): number {
  if (!policy.recovery.includes("fix")) return policy.maxTaskIterations;
  let fixesLeft = policy.maxFixTasksPerRoot;
  const below = (depth: number): number => {
    let calls = policy.maxTaskIterations;
    for (let fix = 1; fix <= policy.maxFixTasksPerOriginal && depth < policy.maxFixTaskDepth && fixesLeft > 0; fix++) {
      fixesLeft--;
      calls += below(depth + 1) + 1;
    }
    return calls;
  };
  return below(0);
}

/** The bound of I1 in closed form. */
export function callBound(policy: Limits): number {
  const { maxTaskIterations: m, maxFixTasksPerOriginal: k, maxFixTaskDepth: d, maxFixTasksPerRoot: r } = policy;
  if (!policy.recovery.includes("fix")) return m;
  let tree = 0;
  for (let depth = 1; depth <= d; depth++) tree += k ** depth;
  const t = Math.min(r, tree);
  return 2 * t + 1 + (m - 1) * (t + 1);
}
