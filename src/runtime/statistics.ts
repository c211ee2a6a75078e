import { randomFrom } from "../model/random.ts";
import type { AttemptSeen, Band, Expected, RunSeen, Statistics, Tally, TaskSeen } from "../model/statistics.ts";
import { sumOf } from "./look-at-run.ts";

/** What the runs of specs come to together. */
export function statisticsOf(runs: readonly RunSeen[]): Statistics {
  const attempts = runs.flatMap((run) => run.attempts);
  const tasks = runs.flatMap((run) => run.tasks);
  const solvers = tasks.flatMap(({ solvedBy }) => solvedBy ?? []);
  const counts = groupedBy(solvers, (solver) => solver);
  return {
    runs: runs.length,
    tasks: tasks.length,
    passed: solvers.length,
    atFirst: counts.get("first")?.length ?? 0,
    solvedBy: Object.fromEntries([...counts].flatMap(([by, all]) => (by === "first" ? [] : [[by, all.length]]))),
    byPurpose: [...groupedBy(attempts, ({ purpose }) => purpose)].map(([purpose, some]) => ({
      purpose,
      ...tallyOf(some),
    })),
    byExecutor: [...groupedBy(attempts, ({ executor }) => executor)].map(([executor, some]) => ({
      executor: executor + 1,
      ...tallyOf(some),
    })),
    total: tallyOf(attempts),
    flaky: [...new Set(runs.flatMap(({ flaky }) => flaky))].sort(),
  };
}

function tallyOf(attempts: readonly AttemptSeen[]): Tally {
  const countOf = (end: AttemptSeen["end"]): number => attempts.filter((each) => each.end === end).length;
  return {
    ...sumOf(attempts),
    ...{ attempts: attempts.length, accepted: countOf("accepted"), troubles: countOf("trouble") },
  };
}

function groupedBy<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value)) ?? [];
    group.push(value);
    groups.set(keyOf(value), group);
  }
  return groups;
}

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
