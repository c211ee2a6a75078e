import { randomFrom } from "../model/random.ts";
import { type Answered, type RunRecord, type TimedRunRecord, usedFor } from "../model/record.ts";
import { attemptOf, isServiceKind, taskOf, type Usage } from "../model/reply.ts";
import { worksOnTasks } from "../model/role.ts";
import type { RunSeed } from "../model/run-seed.ts";
import type { Rung } from "../model/rung.ts";
import type { AttemptSeen, Band, Expected, RunSeen, Statistics, Taken, Tally, TaskSeen } from "../model/statistics.ts";
import type { TaskId } from "../model/task.ts";
import { apply } from "../run/apply.ts";
import { newRun } from "../run/new-run.ts";
import { rootOf } from "../run/spending.ts";

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

const leastKnown = 5;
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

interface Seen {
  readonly task: TaskId;
  readonly purpose: AttemptSeen["purpose"];
  readonly executor: number;
  /** Time of the delegation, in milliseconds since 1970. */
  readonly from: number;
  /** Time of the attempt's last answer so far. */
  to: number;
  usage: Usage;
  end: AttemptSeen["end"];
}

/**
 * Statistics of one run: its attempts, and the results of the planned tasks it began.
 *
 * @param records All records of the run, oldest first.
 */
export function lookAtRun({
  records,
  seed,
}: {
  readonly records: readonly TimedRunRecord[];
  readonly seed?: RunSeed | undefined;
}): RunSeen {
  const state = newRun(null, seed);
  const attempts = new Map<string, Seen>();
  /** Trees that a person's answer restarted; the value is true until the next attempt. */
  const answered = new Map<TaskId, boolean>();
  const ended = new Map<TaskId, "passed" | "mended">();
  for (const record of records) {
    apply(state, record);
    if (asksAnew(record)) answered.set(rootOf(state, taskOf(record.key)), true);
    note(attempts, record, (task, rung) => {
      const root = rootOf(state, task);
      const isNext = answered.get(root);
      if (isNext === true) answered.set(root, false);
      return isNext === true ? "answer" : (rung ?? (isNext === undefined ? "first" : "answer"));
    });
    for (const task of passedIn(record)) ended.set(task, record.type === "mended" ? "mended" : "passed");
  }
  const seen = [...attempts.values()].map(
    ({ task, from, to, usage, ...attempt }): AttemptSeen => ({
      ...attempt,
      ...takenOf(usage),
      root: rootOf(state, task),
      ms: to - from,
    }),
  );
  const roots = new Set([
    ...seen.map(({ root }) => root),
    ...[...ended.keys()].filter((id) => rootOf(state, id) === id),
  ]);
  return {
    attempts: seen,
    tasks: [...roots].map((task) => taskSeen(task, seen, ended.get(task))),
    flaky: Object.entries(state.flaky).flatMap(([name, count]) => (count > 1 ? [name] : [])),
  };
}

/** Whether a person's answer lets a task be tried anew. */
const asksAnew = (record: RunRecord): record is Answered =>
  record.type === "answered" &&
  record.effect === "askPerson" &&
  (record.answer.kind === "guided" || (record.answer.kind === "decided" && record.answer.decision === "retry"));

/** Update an attempt by a record. A repeated delegation after a kill is the same attempt. */
function note(
  attempts: Map<string, Seen>,
  record: TimedRunRecord,
  purposeOf: (task: TaskId, rung: Rung | undefined) => AttemptSeen["purpose"],
): void {
  if (record.type === "refunded") attempts.delete(record.key);
  if (record.type === "delegated" && worksOnTasks(record.role)) {
    const { key, task, rung, executor = 0, at } = record;
    const purpose = attempts.get(key)?.purpose ?? purposeOf(task, rung);
    attempts.set(key, { task, purpose, executor, from: at, to: at, usage: {}, end: "open" });
  }
  if (record.type !== "answered") return;
  const attempt = attempts.get(attemptOf(record.key));
  if (attempt === undefined) return;
  attempt.usage = usedFor(record) ?? attempt.usage;
  const end = endIn(record);
  if (record.effect === "delegate" || end !== null) attempt.to = record.at;
  attempt.end = end ?? attempt.end;
}

function endIn({ effect, answer }: Answered): AttemptSeen["end"] | null {
  if (answer.kind === "raced" && answer.outcome !== "proven")
    return answer.outcome === "unable" ? "trouble" : "rejected";
  if (effect === "verify") return answer.kind === "accepted" ? "accepted" : "rejected";
  if (effect === "readFailure") return isServiceKind(answer.kind) ? "trouble" : "rejected";
  return null;
}

function passedIn(record: RunRecord): readonly TaskId[] {
  if (record.type === "mended") return record.passes.map(({ key }) => taskOf(key));
  if (record.type === "passed") return [taskOf(record.key)];
  const isPass = record.type === "answered" && record.effect === "recordPass";
  return isPass ? [taskOf(record.key)] : [];
}

function takenOf({ inputTokens, outputTokens, costUsd }: Usage): Omit<Taken, "ms"> {
  const isTold = inputTokens !== undefined || outputTokens !== undefined;
  return { costUsd: costUsd ?? null, tokens: isTold ? (inputTokens ?? 0) + (outputTokens ?? 0) : null };
}

function taskSeen(task: TaskId, all: readonly AttemptSeen[], ended: "passed" | "mended" | undefined): TaskSeen {
  const attempts = all.filter(({ root }) => root === task);
  const isAnswered = attempts.some(({ purpose }) => purpose === "answer");
  const accepted = attempts.findLast(({ end }) => end === "accepted");
  const solvedBy = ended === "mended" ? "person" : isAnswered ? "answer" : (accepted?.purpose ?? "none");
  return {
    ...sumOf(attempts),
    ...{ task, attempts: attempts.length },
    solvedBy: ended === undefined ? null : solvedBy,
  };
}

/** Sum of several amounts; null for an amount that no part reports. */
function sumOf(parts: readonly Taken[]): Taken {
  const sum = (name: "costUsd" | "tokens"): number | null => {
    const told = parts.flatMap((part) => part[name] ?? []);
    return told.length === 0 ? null : told.reduce((total, each) => total + each, 0);
  };
  return { costUsd: sum("costUsd"), tokens: sum("tokens"), ms: parts.reduce((total, { ms }) => total + ms, 0) };
}
