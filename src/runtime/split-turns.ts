import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { effectOf, taskOf } from "../model/reply.ts";
import type { TaskId } from "../model/task-id.ts";
import type { RecordedStart } from "./recorded-run.ts";

/** What was recorded between two choices of a task; it may go on in a later start. */
export interface RecordedTurn {
  readonly policy: Policy;
  /** 0 before the first choice. */
  readonly turn: number;
  /** The choice first. */
  readonly records: readonly TimedRunRecord[];
}

/** The turns of a run, each under the policy of the start that has begun it. */
export function splitTurns(starts: readonly RecordedStart[]): RecordedTurn[] {
  const turns: (RecordedTurn & { records: TimedRunRecord[] })[] = [];
  for (const { policy, records } of starts) {
    for (const record of records) {
      if (chooses(record)) turns.push({ policy, turn: turnIn(record.key), records: [record] });
      else turns.at(-1)?.records.push(record);
    }
  }
  return turns;
}

/** The planned tasks that a turn was begun for, and all tasks that something was recorded for in it. */
export function tasksIn({ records }: RecordedTurn): TaskId[] {
  return records.flatMap((record) => {
    if (record.type !== "answered" && record.type !== "delegated") return [];
    if (!chooses(record)) return [taskOf(record.key)];
    const { root, members = [] } = record.answer as { root?: TaskId; members?: { root: TaskId }[] };
    return [...(root === undefined ? [] : [root]), ...members.map((member) => member.root)];
  });
}

type Choice = Extract<TimedRunRecord, { type: "answered" }>;

const chooses = (record: TimedRunRecord): record is TimedRunRecord & Choice =>
  record.type === "answered" && effectOf(record.key) === "chooseTask";

/** In `run#<turn>/chooseTask`. */
const turnIn = (key: string): number => Number(key.slice(key.lastIndexOf("#") + 1, key.lastIndexOf("/")));
