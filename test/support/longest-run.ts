import type { Policy } from "../../src/model/policy.ts";

type Limits = Pick<
  Policy,
  "recovery" | "maxTaskIterations" | "maxFixTasksPerOriginal" | "maxFixTaskDepth" | "maxFixTasksPerRoot"
>;

/**
 * Longest run of one root task, if failed checks are unknown.
 *
 * Each task has one delegation, and one more after each of its fixes. Each of these delegations may be rejected once.
 */
export function longestRun(policy: Limits): number {
  if (!policy.recovery.includes("fix")) return policy.maxTaskIterations;
  let fixesLeft = policy.maxFixTasksPerRoot;
  const below = (depth: number): number => {
    let [calls, phases] = [0, 1];
    for (let fix = 1; fix <= policy.maxFixTasksPerOriginal && depth < policy.maxFixTaskDepth && fixesLeft > 0; fix++) {
      fixesLeft--;
      calls += below(depth + 1);
      phases += 1;
    }
    return calls + phases + Math.min(policy.maxTaskIterations - 1, phases);
  };
  return below(0);
}

/**
 * Bound of I1 in closed form: exact for retries alone, an upper bound for fixes alone.
 *
 * With M iterations and T fix tasks, a root task takes at most (2T + 1) + (M - 1)(T + 1) delegations. Each task is
 * delegated once, and once more after each of its fixes. Each task may be rejected M - 1 times.
 *
 * With n named checks, at most n - 1 new minima occur. Each allows M iterations again to at most D tasks. These
 * iterations add at most M · min(D(n - 1), T) delegations.
 *
 * @param most The number n; 0 without names.
 */
export function callBound(policy: Limits, most = 0): number {
  const { maxTaskIterations: m, maxFixTasksPerOriginal: k, maxFixTaskDepth: d, maxFixTasksPerRoot: r } = policy;
  const minima = Math.max(0, most - 1);
  // With one attempt, no failure can be compared with an earlier one.
  if (!policy.recovery.includes("fix")) return m === 1 ? 1 : m + m * minima;
  let tree = 0;
  for (let depth = 1; depth <= d; depth++) tree += (k * (1 + minima)) ** depth;
  const t = Math.min(r, tree);
  return 2 * t + 1 + (m - 1) * (t + 1) + m * Math.min(d * minima, t);
}
