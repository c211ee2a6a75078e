import type { Band, Expected } from "../model/forecast.ts";
import { randomFrom } from "../model/random.ts";
import type { TaskSeen } from "../model/statistics.ts";

/** Minimum number of known tasks for an estimate. */
const leastKnown = 5;
/** Number of random samples. */
const draws = 2000;

/**
 * Estimate the time and cost of `count` tasks with their fixes, by resampling known tasks. The random numbers have
 * a seed, so that the estimate can be repeated.
 */
export function expectedOf(count: number, tasks: readonly TaskSeen[]): Expected {
  const known = tasks.filter(({ attempts }) => attempts > 0);
  const band = (name: "costUsd" | "tokens" | "ms"): Band | null =>
    bandOf(
      count,
      known.flatMap((task) => task[name] ?? []),
    );
  return { known: known.length, costUsd: band("costUsd"), tokens: band("tokens"), ms: band("ms") };
}

function bandOf(count: number, values: readonly number[]): Band | null {
  if (values.length < leastKnown) return null;
  const random = randomFrom(count);
  const sums = Array.from({ length: draws }, () => {
    let sum = 0;
    for (let task = 0; task < count; task += 1) sum += values[random.below(values.length)] ?? 0;
    return sum;
  }).sort((one, other) => one - other);
  return { p50: sums[draws / 2] ?? 0, p90: sums[(draws * 9) / 10] ?? 0 };
}
