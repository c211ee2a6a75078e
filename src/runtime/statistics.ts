import type { AttemptSeen, RunSeen, Statistics, Tally } from "../model/statistics.ts";
import { sumOf } from "./look-at-run.ts";

/** Combined statistics of several runs. */
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
