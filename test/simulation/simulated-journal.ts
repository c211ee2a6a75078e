import { interpreted } from "../../src/model/parse-json.ts";
import { RunRecord, type TimedRunRecord } from "../../src/model/record.ts";
import type { Journal, RunReading, StartFacts } from "../../src/ports/journal.ts";
import { memoryJournal } from "../support/memory-journal.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

export interface SimulatedJournal {
  readonly records: readonly TimedRunRecord[];
  reading(): RunReading;
  begin(facts: StartFacts, life: Life, see: (records: readonly TimedRunRecord[]) => void): Journal;
}

export function createJournal(world: World): SimulatedJournal {
  const kept = memoryJournal(world.clock.now);
  let looked = 0;
  return {
    records: kept.records,
    reading: () => {
      for (const record of kept.records.slice(looked)) watchForm(world, record);
      looked = kept.records.length;
      return kept.read();
    },
    begin: (facts, life, see) => {
      const journal = kept.begin(facts);
      return {
        ...journal,
        append: (records, options) => {
          life.step(`the records ${records.map(nameOf).join(", ")}`);
          journal.append(records, options);
          see(kept.records.slice(-records.length));
        },
      };
    },
  };
}

function watchForm(world: World, { at: _, ...record }: TimedRunRecord): void {
  const text = JSON.stringify(record);
  const read = RunRecord.safeParse(record, interpreted);
  if (!read.success) {
    world.violate("I18", `a record cannot be read again: ${text}`);
    return;
  }
  const again = JSON.stringify(read.data);
  if (again.length !== text.length) world.violate("I18", `a record reads as ${again}, it was ${text}`);
}

const nameOf = (record: RunRecord): string => ("key" in record ? `${record.type} ${record.key}` : record.type);
