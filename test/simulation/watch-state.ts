import type { RunMemory } from "../../src/effects/run-memory.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { RunSeed } from "../../src/model/run-seed.ts";
import type { RunState } from "../../src/model/run-state.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { stableJson } from "../../src/runtime/stable-json.ts";
import type { World } from "./world.ts";

export interface StateWatch {
  /** Begins a start. The run had spent the counts of `seed` before its first record. */
  begin(open: number, seed: RunSeed): void;
  /**
   * Checks records that were appended together.
   *
   * @param memory Has applied only the records that it buffered.
   */
  see(records: readonly TimedRunRecord[], memory: RunMemory): void;
  compare(memory: RunMemory): void;
}

/** I18: after every record, the live state equals the state read back. */
export function watchState(world: World): StateWatch {
  let read: RunState | null = null;
  let last = "the beginning";
  const compare: StateWatch["compare"] = ({ state, held }) => {
    const now = held.length === 0 ? read : structuredClone(read);
    for (const record of held) apply(now as RunState, record);
    // Tries a fast comparison first: fields are almost always in the same order.
    if (JSON.stringify(state) === JSON.stringify(now)) return;
    const [live, again] = [stableJson(state), stableJson(now)];
    if (live !== again) world.violate("I18", `after ${last} the state is ${live}, read back it is ${again}`);
  };
  return {
    begin: (open, seed) => {
      read ??= newRun(open, seed);
    },
    see: (records, memory) => {
      compare(memory);
      for (const record of records) apply(read as RunState, record);
      last = records.map((record) => ("key" in record ? `${record.type} ${record.key}` : record.type)).join(", ");
    },
    compare,
  };
}
