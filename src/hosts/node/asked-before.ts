import type { RunMemory } from "../../effects/run-memory.ts";
import type { Answer } from "../../model/effect.ts";
import type { TimedRunRecord } from "../../model/record.ts";
import { effectOf, taskOf } from "../../model/reply.ts";
import type { TaskId } from "../../model/task-id.ts";
import { asksPerson, currentTurn } from "../../runtime/replay.ts";
import type { Origin } from "./open-run.ts";
import type { Start } from "./start.ts";

/**
 * How the start before has ended; where that was refused something before it could put a question again, the one that
 * has told it.
 */
export function endedBefore({ origin: { ended }, reading }: Pick<Start, "origin" | "reading">): Origin["ended"] {
  if (ended?.ending.outcome !== "environment") return ended;
  const turn = currentTurn(reading.records);
  const at = turn.findLastIndex(({ type }) => type === "answered");
  const [last, ...behind] = at === -1 ? [] : turn.slice(at);
  if (last === undefined || !asksPerson(last)) return ended;
  return behind.find((record) => record.type === "ended") ?? ended;
}

/** What a question was about: a planned task, and the task of its tree that had failed. */
export interface AskedBefore {
  readonly root: TaskId;
  readonly current: TaskId;
}

/** The question that has ended the start before; null when that has ended with anything else. */
export function askedBefore(start: Pick<Start, "origin" | "reading">, memory: RunMemory): AskedBefore | null {
  const ended = endedBefore(start);
  if (ended === null) return null;
  const { outcome, error } = ended.ending;
  const isIt = (record: TimedRunRecord): boolean => {
    if (record.type !== "answered" || effectOf(record.key) !== "askPerson") return false;
    const answer = record.answer as Answer<"askPerson">;
    // Of several in a batch, the one that was told.
    if (answer.kind === "gate") return ["gate", "checkpoint"].includes(outcome) && answer.reason === error;
    return outcome === "cancelled" && answer.kind === "decided" && answer.decision === "stop";
  };
  const asked = currentTurn(start.reading.records).findLast(isIt);
  if (asked?.type !== "answered") return null;
  const current = taskOf(asked.key);
  return { root: memory.rootOf(current), current };
}
