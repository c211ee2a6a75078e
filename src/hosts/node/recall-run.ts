import type { JournalReading } from "../../adapters/journal.ts";
import { createRunMemory, type RunMemory } from "../../effects/run-memory.ts";
import { currentTurn } from "../../runtime/replay.ts";
import { sumIn } from "./known-sum.ts";

/** Take in the records of earlier starts; of attempts only those of the turn that is under way are kept. */
export function recall(memory: RunMemory, reading: Pick<JournalReading, "records" | "sum">): void {
  const { records } = reading;
  const sum = sumIn(reading);
  if (sum !== undefined) memory.take(sum.run.books);
  const turn = currentTurn(records);
  for (const record of records.slice(0, records.length - turn.length)) memory.fold(record, true);
  memory.beginTurn(0);
  for (const record of turn) memory.fold(record);
}

/** What a run has spent and decided, from its journal alone; null when there was none. */
export function recallRun(reading: JournalReading): RunMemory | null {
  const first = reading.segments[0]?.header;
  if (first === undefined) return null;
  const memory = createRunMemory({ open: first.open, ...(first.seed !== undefined && { seed: first.seed }) });
  recall(memory, reading);
  return memory;
}
