import type { RunMemory } from "../../effects/run-memory.ts";
import type { Answer } from "../../model/effect.ts";
import type { TimedRunRecord } from "../../model/record.ts";
import { effectOf, taskOf } from "../../model/reply.ts";
import type { TaskId } from "../../model/task-id.ts";
import { currentTurn } from "../../runtime/replay.ts";
import type { Start } from "./start.ts";

/** The planned task whose question has ended the start before; null when that has ended with anything else. */
export function askedBefore({ origin: { ended }, reading }: Start, memory: RunMemory): TaskId | null {
  if (ended === null) return null;
  const { outcome, error } = ended.ending;
  const isIt = (record: TimedRunRecord): boolean => {
    if (record.type !== "answered" || effectOf(record.key) !== "askPerson") return false;
    const answer = record.answer as Answer<"askPerson">;
    // Of several in a batch, the one that was told.
    if (answer.kind === "gate") return ["gate", "checkpoint"].includes(outcome) && answer.reason === error;
    return outcome === "cancelled" && answer.kind === "decided" && answer.decision === "stop";
  };
  const asked = currentTurn(reading.records).findLast(isIt);
  return asked?.type === "answered" ? memory.rootOf(taskOf(asked.key)) : null;
}
