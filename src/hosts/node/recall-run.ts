import type { JournalReading } from "../../adapters/journal.ts";
import { createRunMemory, type RunMemory } from "../../effects/run-memory.ts";
import { sumIn } from "./known-sum.ts";

/** Take in the records of earlier starts. */
export function recall(memory: RunMemory, reading: Pick<JournalReading, "records" | "sum">): void {
  const state = sumIn(reading);
  if (state !== undefined) memory.take(state);
  for (const record of reading.records) memory.fold(record);
}

/** What a run has spent and decided, from its journal alone; null when there was none. */
export function recallRun(reading: JournalReading): RunMemory | null {
  const first = reading.segments[0]?.header;
  if (first === undefined) return null;
  const memory = createRunMemory({ open: first.open, ...(first.seed !== undefined && { seed: first.seed }) });
  recall(memory, reading);
  return memory;
}
