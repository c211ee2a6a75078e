import type { JournalReading } from "../../adapters/journal.ts";
import type { Segment } from "../../adapters/journal-segment.ts";
import { RunRecord, type TimedRunRecord } from "../../model/record.ts";
import type { Origin } from "../node/open-run.ts";
import type { PlanBases } from "../node/rebuild-base.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

/** The journal of a run, which outlives its starts. */
export interface SimulatedJournal {
  /** What a start reads of it. */
  reading(): JournalReading;
  /** Begin the segment of a start. */
  open(origin: Origin): void;
  append(life: Life, record: RunRecord): void;
  readonly bases: PlanBases;
  /** All that was recorded, oldest first, as it will be read. */
  readonly records: readonly TimedRunRecord[];
  readonly outputs: Map<string, string>;
}

interface Written extends Segment {
  readonly records: TimedRunRecord[];
}

export function createJournal(world: World): SimulatedJournal {
  const segments: Written[] = [];
  const records: TimedRunRecord[] = [];
  const kept = new Map<number, string>();
  let read = 0;
  return {
    records,
    outputs: new Map(),
    bases: {
      keep: (text) => kept.set(segments.length, text),
      find: (segment) => kept.get(segment) ?? null,
    },
    reading: () => {
      // As they come back from a file.
      for (; read < records.length; read++) watchForm(world, records[read] as TimedRunRecord);
      return {
        base: "",
        run: segments.length === 0 ? 0 : 1,
        segments: segments.map(({ header, records: written }) => ({ header, records: [...written], bytes: 0 })),
        records: [...records],
      };
    },
    open: ({ policy, open, seed }) => {
      const facts = { v: 1, run: 1, after: null, pid: 1, pidStart: null, host: "simulation" } as const;
      const header = { ...facts, segment: segments.length + 1, at: world.clock.now(), policy, open, seed };
      segments.push({ header: { ...header, planHash: "", verifyHash: "" }, records: [], bytes: 0 });
    },
    append: (life, record) => {
      life.step(`the record ${nameOf(record)}`);
      const timed = JSON.parse(JSON.stringify({ at: world.clock.now(), ...record })) as TimedRunRecord;
      segments.at(-1)?.records.push(timed);
      records.push(timed);
    },
  };
}

/** I18: what was recorded reads as what it was. */
function watchForm(world: World, { at, ...record }: TimedRunRecord): void {
  const read = RunRecord.safeParse(record);
  if (!read.success) world.violate("I18", `a record cannot be read again: ${JSON.stringify(record)}`);
  else if (JSON.stringify(read.data).length !== JSON.stringify(record).length) {
    world.violate("I18", `a record reads as ${JSON.stringify(read.data)}, it was ${JSON.stringify(record)}`);
  }
}

const nameOf = (record: RunRecord): string => ("key" in record ? `${record.type} ${record.key}` : record.type);
