import type { Policy } from "../model/policy.ts";
import { beginsTurn, type TimedRunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
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
      if (beginsTurn(record)) turns.push({ policy, turn: turnIn(record.key), records: [record] });
      else turns.at(-1)?.records.push(record);
    }
  }
  return turns;
}

/** The planned tasks that a turn was begun for, and all tasks that something was recorded for in it. */
export function tasksIn({ records }: Pick<RecordedTurn, "records">): TaskId[] {
  return records.flatMap((record) => {
    if (record.type !== "answered" && record.type !== "delegated") return [];
    if (!beginsTurn(record)) return [taskOf(record.key)];
    const { answer } = record;
    if (answer.kind === "task") return [answer.root];
    return answer.kind === "batch" ? answer.members.map(({ root }) => root) : [];
  });
}

/** The number in `run#<turn>/chooseTask`. */
export const turnIn = (key: string): number => Number(key.slice(key.lastIndexOf("#") + 1, key.lastIndexOf("/")));
