import type { JournalReading } from "../../adapters/journal.ts";
import type { Segment } from "../../adapters/journal-segment.ts";
import { RunRecord, type TimedRunRecord } from "../../model/record.ts";
import type { PlanBases } from "../../ports/journal.ts";
import type { Origin } from "../../start/origin.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

/** The journal of a run, which outlives its starts. */
export interface SimulatedJournal {
  /** What a start reads of it. */
  reading(): JournalReading;
  /** Begin the segment of a start. */
  open(origin: Origin): void;
  /** Answers the record as it will be read. */
  append(life: Life, record: RunRecord & { readonly at?: number }): TimedRunRecord;
  readonly bases: PlanBases;
  /** All that was recorded, oldest first, as it will be read. */
  readonly records: readonly TimedRunRecord[];
  readonly outputs: Map<string, string>;
}

interface Written extends Segment {
  readonly records: TimedRunRecord[];
}

/** A record as it was appended, and as it came back. */
interface Appended {
  readonly text: string;
  readonly record: RunRecord;
}

export function createJournal(world: World): SimulatedJournal {
  const segments: Written[] = [];
  const records: TimedRunRecord[] = [];
  const unread: Appended[] = [];
  const kept = new Map<number, string>();
  return {
    records,
    outputs: new Map(),
    bases: {
      keep: (text) => kept.set(segments.length, text),
      find: (segment) => kept.get(segment) ?? null,
      pathOf: (segment = segments.length) => `plan-${segment}.md`,
    },
    reading: () => {
      // As they come back from a file.
      for (const appended of unread.splice(0)) watchForm(world, appended);
      return {
        base: "",
        run: segments.length === 0 ? 0 : 1,
        segments: segments.map(({ header, records: written }) => ({
          header,
          records: [...written],
          bytes: 0,
          damaged: false,
        })),
        records: [...records],
      };
    },
    open: ({ policy, open, seed }) => {
      const facts = { v: 2, run: 1, after: null, pid: 1, pidStart: null, host: "simulation" } as const;
      const header = { ...facts, segment: segments.length + 1, at: world.clock.now(), policy, open, seed };
      segments.push({ header: { ...header, planHash: "" }, records: [], bytes: 0, damaged: false });
    },
    append: (life, { at = world.clock.now(), ...record }) => {
      life.step(`the record ${nameOf(record)}`);
      const text = JSON.stringify(record);
      const copy = JSON.parse(text) as RunRecord;
      const timed: TimedRunRecord = { at, ...copy };
      unread.push({ text, record: copy });
      segments.at(-1)?.records.push(timed);
      records.push(timed);
      return timed;
    },
  };
}

/** I18: what was recorded reads as what it was. */
function watchForm(world: World, { text, record }: Appended): void {
  const read = RunRecord.safeParse(record);
  if (!read.success) {
    world.violate("I18", `a record cannot be read again: ${text}`);
    return;
  }
  const again = JSON.stringify(read.data);
  if (again.length !== text.length) world.violate("I18", `a record reads as ${again}, it was ${text}`);
}

const nameOf = (record: RunRecord): string => ("key" in record ? `${record.type} ${record.key}` : record.type);
