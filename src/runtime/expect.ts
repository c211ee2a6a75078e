import type { Band, Expected } from "../model/forecast.ts";
import { randomFrom } from "../model/random.ts";
import type { TaskSeen } from "../model/statistics.ts";

/** Tasks that have to be known before anything is told of others. */
const leastKnown = 5;
/** How often so many tasks are drawn from those that are known. */
const draws = 2000;

/**
 * What so many tasks are expected to take, from what others have taken with all that was made for them: as many are drawn
 * from those, over and over, by a chance that is the same each time.
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
