import type { RunMemory } from "../../src/effects/run-memory.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { RunSeed } from "../../src/model/run-seed.ts";
import type { RunState } from "../../src/model/run-state.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { stableJson } from "../../src/runtime/stable-json.ts";
import type { World } from "./world.ts";

export interface StateWatch {
  begin(open: number, seed: RunSeed): void;
  see(records: readonly TimedRunRecord[], memory: RunMemory): void;
  compare(memory: RunMemory): void;
}

export function watchState(world: World): StateWatch {
  let read: RunState | null = null;
  let last = "the beginning";
  const compare: StateWatch["compare"] = ({ state, held }) => {
    const now = held.length === 0 ? read : structuredClone(read);
    for (const record of held) apply(now as RunState, record);
    // Fast path: fields are almost always in the same order.
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
