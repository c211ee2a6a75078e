import type { SpecAddress } from "../model/command-line.ts";
import type { Plan } from "../model/plan.ts";
import type { Policy } from "../model/policy.ts";
import { type Answered, beginsTurn, type RunRecord, type TimedRunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { RunSeed } from "../model/run-seed.ts";
import { lineageOf, parentOf, partId, type Task, type TaskId } from "../model/task.ts";
import { reportsEnd } from "../run/follow.ts";

/** One start of the coordinator, as recorded. */
export interface RecordedStart {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly policy: Policy;
  readonly records: readonly TimedRunRecord[];
}

export interface RecordedRun {
  readonly spec: string;
  /** Name of the spec on the command line; by default `spec`. */
  readonly address?: SpecAddress;
  readonly plan: Plan;
  /** Oldest first. */
  readonly starts: readonly RecordedStart[];
  /** Amounts spent before the first record (none if not given). */
  readonly seed?: RunSeed | undefined;
  readonly alive: boolean;
}

/**
 * Records since the last choice of a task, with the policy of the start that made the choice; null if there are none.
 */
export function lastTurn(starts: readonly RecordedStart[]): RecordedStart | null {
  const begun = starts.findLastIndex(({ records }) => records.some(beginsTurn));
  const start = starts[begun];
  if (start === undefined) return null;
  const records = start.records.slice(start.records.findLastIndex(beginsTurn));
  return { ...start, records: [...records, ...starts.slice(begun + 1).flatMap((later) => later.records)] };
}

/** The last record that supersedes the previous outcome, or reports it. */
export const lastTold = (records: readonly TimedRunRecord[]): TimedRunRecord | undefined =>
  records.findLast(reportsEnd);

/** Parent relations of tasks, by the plan and the records. */
export interface TaskFamily {
  above(task: TaskId): TaskId | null;
  rootOf(task: TaskId): TaskId;
  /** Whether `task` is `ancestor` itself, or a fix or part below it at any depth. */
  isWithin(task: TaskId, ancestor: TaskId): boolean;
  isFix(task: TaskId): boolean;
  readonly parts: ReadonlyMap<TaskId, string>;
}

export function taskFamily(tasks: readonly Pick<Task, "id" | "fixOf">[], records: readonly RunRecord[]): TaskFamily {
  const repaired = new Map<TaskId, TaskId>();
  const parts = new Map<TaskId, string>();
  for (const { id, fixOf } of tasks) if (fixOf !== null) repaired.set(id, fixOf);
  for (const record of records) {
    if (record.type === "intended") repaired.set(record.fix.id, record.fix.fixOf);
    if (record.type !== "answered") continue;
    for (const [index, title] of partsIn(record).entries()) parts.set(partId(taskOf(record.key), index + 1), title);
  }
  const repairedBy = (fix: TaskId): TaskId | undefined => repaired.get(fix);
  return {
    above: (task) => parentOf(task, repairedBy),
    rootOf: (task) => lineageOf(task, repairedBy)[0],
    isWithin: (task, ancestor) => lineageOf(task, repairedBy).includes(ancestor),
    isFix: (task) => repaired.has(task),
    parts,
  };
}

function partsIn({ effect, answer }: Answered): readonly string[] {
  if (effect !== "askOperator" || answer.kind !== "directed") return [];
  return answer.directive.strategy === "decompose" ? answer.directive.parts : [];
}
