import type { Purpose } from "../model/ledger.ts";
import { type Answered, type RunRecord, type TimedRunRecord, usedFor } from "../model/record.ts";
import { attemptOf, isServiceKind, taskOf, type Usage } from "../model/reply.ts";
import { worksOnTasks } from "../model/role.ts";
import type { RunSeed } from "../model/run-seed.ts";
import type { AttemptSeen, RunSeen, Taken, TaskSeen } from "../model/statistics.ts";
import type { TaskId } from "../model/task.ts";
import { apply } from "../run/apply.ts";
import { newRun } from "../run/new-run.ts";
import { rootOf } from "../run/spent.ts";

/** An attempt while its records are read. */
interface Seen {
  readonly task: TaskId;
  readonly purpose: Purpose;
  readonly executor: number;
  /** Time of its delegation, in milliseconds since 1970. */
  readonly from: number;
  /** Time of its last answer so far. */
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
  const ended = new Map<TaskId, "passed" | "mended">();
  for (const record of records) {
    apply(state, record);
    note(attempts, record);
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

/** Update an attempt by a record. A repeated delegation after a kill is the same attempt. */
function note(attempts: Map<string, Seen>, record: TimedRunRecord): void {
  if (record.type === "refunded") attempts.delete(record.key);
  if (record.type === "delegated" && worksOnTasks(record.role)) {
    const { key, task, rung = "first", executor = 0, at } = record;
    attempts.set(key, { task, purpose: rung, executor, from: at, to: at, usage: {}, end: "open" });
  }
  if (record.type !== "answered") return;
  const attempt = attempts.get(attemptOf(record.key));
  if (attempt === undefined) return;
  attempt.usage = usedFor(record) ?? attempt.usage;
  const end = endIn(record);
  if (record.effect === "delegate" || end !== null) attempt.to = record.at;
  attempt.end = end ?? attempt.end;
}

/** How an answer ends its attempt; null if it does not. */
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
  const solvedBy =
    ended === "mended" ? "person" : (attempts.findLast(({ end }) => end === "accepted")?.purpose ?? "none");
  return {
    ...sumOf(attempts),
    ...{ task, attempts: attempts.length },
    solvedBy: ended === undefined ? null : solvedBy,
  };
}

/** Sum of several amounts; null for an amount that no part reports. */
export function sumOf(parts: readonly Taken[]): Taken {
  const sum = (name: "costUsd" | "tokens"): number | null => {
    const told = parts.flatMap((part) => part[name] ?? []);
    return told.length === 0 ? null : told.reduce((total, each) => total + each, 0);
  };
  return { costUsd: sum("costUsd"), tokens: sum("tokens"), ms: parts.reduce((total, { ms }) => total + ms, 0) };
}
