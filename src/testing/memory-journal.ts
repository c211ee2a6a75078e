import { takenOver } from "../model/errors.ts";
import type { RunRecord, TimedRunRecord } from "../model/record.ts";
import type { Journal, RunReading, StartFacts } from "../ports/journal.ts";

/** The journal of one run in memory, which outlives its starts. */
export interface MemoryJournal {
  read(): RunReading;
  /** All that was recorded, oldest first. */
  readonly records: readonly TimedRunRecord[];
  /** Begin the next start; the one before holds it no more. */
  begin(facts: StartFacts): Journal;
}

/** @param now What the clock shows, in milliseconds since 1970. */
export function memoryJournal(now: () => number): MemoryJournal {
  const segments: { readonly header: RunReading["segments"][number]["header"]; readonly records: TimedRunRecord[] }[] =
    [];
  const all: TimedRunRecord[] = [];
  const outputs = new Map<string, string>();
  const plans = new Map<number, string>();
  return {
    records: all,
    read: () => ({
      run: segments.length === 0 ? 0 : 1,
      segments: segments.map(({ header, records }) => ({ header, records: [...records] })),
      records: [...all],
    }),
    begin: (facts) => {
      const segment = segments.length + 1;
      const records: TimedRunRecord[] = [];
      segments.push({ header: { ...facts, segment }, records });
      const push = (record: TimedRunRecord): void => {
        records.push(record);
        all.push(record);
      };
      const isHeld = (): boolean => segments.length === segment;
      return {
        append: ({ at = now(), ...record }) => {
          if (!isHeld()) throw takenOver("memory");
          push({ at, ...(JSON.parse(JSON.stringify(record)) as RunRecord) });
        },
        writeOutput: (key, text) => outputs.set(key, text),
        readOutput: async (key) => outputs.get(key) ?? "",
        bases: {
          keep: (text) => plans.set(segment, text),
          find: (start) => plans.get(start) ?? null,
          pathOf: (start = segment) => `plan-${start}.md`,
        },
        close: () => {
          if (isHeld() && records.at(-1)?.type !== "ended") push({ at: now(), type: "released" });
        },
      };
    },
  };
}
