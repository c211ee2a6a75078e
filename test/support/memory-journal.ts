import { takenOver } from "../../src/model/errors.ts";
import { beginsTurn, type RunRecord, type TimedRunRecord } from "../../src/model/record.ts";
import type { RunState } from "../../src/model/run-state.ts";
import type { Journal, RunReading, StartFacts } from "../../src/ports/journal.ts";

export interface MemoryJournal {
  read(): RunReading;
  readonly records: readonly TimedRunRecord[];
  begin(facts: StartFacts): Journal;
}

/**
 * @param now Milliseconds since 1970.
 * @param often Number of records between two snapshots.
 */
export function memoryJournal(now: () => number, often = 64): MemoryJournal {
  const segments: { readonly header: RunReading["segments"][number]["header"]; readonly records: TimedRunRecord[] }[] =
    [];
  const all: TimedRunRecord[] = [];
  const outputs = new Map<string, string>();
  let kept: NonNullable<RunReading["snapshot"]> | undefined;
  const read = (): RunReading => {
    const run = segments.length === 0 ? 0 : 1;
    const records = all.slice(kept?.records);
    // Uses a snapshot only if a turn begins after it, because a resumed start needs the whole last turn.
    if (kept === undefined || !records.some(beginsTurn)) {
      const whole = segments.map((each) => ({ ...each, records: [...each.records] }));
      return { run, segments: whole, records: [...all], rebooted: false };
    }
    const behind = new Set(records);
    return {
      run,
      segments: segments.map((each) => ({ ...each, records: each.records.filter((record) => behind.has(record)) })),
      records,
      snapshot: kept,
      rebooted: false,
    };
  };
  return {
    records: all,
    read,
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
        append: (made, { at = now() }) => {
          if (!isHeld()) throw takenOver("memory");
          for (const record of JSON.parse(JSON.stringify(made)) as RunRecord[]) push({ ...record, at });
        },
        snapshot: (take) => {
          if (all.length - (kept?.records ?? 0) < often) return;
          const text = JSON.stringify(take());
          if (isHeld()) kept = { records: all.length, state: () => JSON.parse(text) as RunState };
        },
        writeOutput: (key, text) => outputs.set(key, text),
        readOutput: async (key) => outputs.get(key) ?? "",
        copy: { keep: () => {}, path: "plan.md" },
        close: () => {
          if (isHeld() && records.at(-1)?.type !== "ended") push({ at: now(), type: "released" });
        },
      };
    },
  };
}
