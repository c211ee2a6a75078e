import type { RunEvent } from "../../src/model/event.ts";
import type { Plan } from "../../src/model/plan.ts";
import { createProcesses, type Processes } from "./processes.ts";
import { createJournal, type SimulatedJournal } from "./simulated-journal.ts";
import type { Check } from "./simulated-shell.ts";
import { type PassWatch, watchPasses } from "./watch-passes.ts";
import { type RecordWatch, watchRecords } from "./watch-records.ts";
import { type StateWatch, watchState } from "./watch-state.ts";
import { type WaitWatch, watchWaits } from "./watch-waits.ts";
import type { World } from "./world.ts";

export interface Scenery {
  readonly world: World;
  readonly journal: SimulatedJournal;
  readonly processes: Processes;
  readonly checks: Check[];
  readonly kept: Map<string, string>;
  readonly events: RunEvent[];
  readonly records: RecordWatch;
  readonly states: StateWatch;
  readonly passes: PassWatch;
  readonly waits: WaitWatch;
}

export function createScenery(world: World, begun: Plan): Scenery {
  const processes = createProcesses(world);
  const checks: Check[] = [];
  return {
    ...{ world, processes, checks, kept: new Map(), events: [] },
    journal: createJournal(world),
    records: watchRecords(world),
    states: watchState(world),
    passes: watchPasses(world, processes, checks, begun),
    waits: watchWaits(world),
  };
}
