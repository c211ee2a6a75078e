import type { RunMemory } from "../../effects/run-memory.ts";
import type { TimedRunRecord } from "../../model/record.ts";
import type { RunSeed } from "../../model/run-seed.ts";
import { apply } from "../../run/apply.ts";
import { newRun } from "../../run/new-run.ts";
import type { RunState } from "../../run/run-state.ts";
import { stableJson } from "../../runtime/stable-json.ts";
import type { World } from "./world.ts";

/** Holds the state of a run against what its records come to, from one start to the next. */
export interface StateWatch {
  /** A start begins, with what the run had spent before its first record. */
  begin(open: number, seed: RunSeed): void;
  /** @param record As it will be read, before it is applied to the memory. */
  see(record: TimedRunRecord, memory: RunMemory): void;
  /** Compare them now that everything is applied. */
  compare(memory: RunMemory): void;
}

/** I18: the state after live application is the state read back, at every record. */
export function watchState(world: World): StateWatch {
  let read: RunState | null = null;
  let last = "the beginning";
  const compare: StateWatch["compare"] = ({ state }) => {
    const live = stableJson(state);
    const again = stableJson(read);
    if (live !== again) world.violate("I18", `behind ${last} the state is ${live}, read back it is ${again}`);
  };
  return {
    begin: (open, seed) => {
      read ??= newRun(open, seed);
    },
    see: (record, memory) => {
      compare(memory);
      apply(read as RunState, record);
      last = "key" in record ? `${record.type} ${record.key}` : record.type;
    },
    compare,
  };
}
