import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { RunSeed } from "../model/run-seed.ts";
import { apply } from "../run/apply.ts";
import { newRun } from "../run/new-run.ts";
import type { RunState } from "../run/run-state.ts";

/** What a start has recorded. */
interface RecordedStart {
  readonly header: {
    /** Its number in the run, from 1. */
    readonly segment: number;
    readonly policy: Policy;
    /** Tasks that were open when the run began. */
    readonly open: number;
    /** What had been spent when the run was taken over from another system. */
    readonly seed?: RunSeed | undefined;
  };
  readonly records: readonly TimedRunRecord[];
}

/** The journal of a run, as a start reads it. */
export interface RunReading {
  readonly run: number;
  readonly segments: readonly RecordedStart[];
  /** The records that count, oldest first. */
  readonly records: readonly TimedRunRecord[];
  /** The state that stands for the records before them; all are there when it does not. */
  readonly sum?: { readonly state: unknown } | undefined;
}

/** What a run has done so far; null when there is none. */
export function stateIn({ segments, records, sum }: Pick<RunReading, "segments" | "records" | "sum">): RunState | null {
  const first = segments[0]?.header;
  if (first === undefined) return null;
  const state = sum === undefined ? newRun(first.open, first.seed) : structuredClone(sum.state as RunState);
  for (const record of records) apply(state, record);
  return state;
}
