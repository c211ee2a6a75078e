import type { JournalReading } from "../../adapters/journal/read-journal.ts";
import { createRunMemory, type RunMemory } from "../../effects/run-memory.ts";
import { stateIn } from "../../start/run-before.ts";

/** What a run has spent and decided, from its journal alone; null when there was none. */
export function recallRun(reading: JournalReading): RunMemory | null {
  const state = stateIn(reading);
  return state && createRunMemory({ state });
}
