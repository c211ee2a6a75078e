import type { SpecAddress } from "../model/command-line.ts";
import type { Plan } from "../model/plan.ts";
import type { Policy } from "../model/policy.ts";
import { beginsTurn, type TimedRunRecord } from "../model/record.ts";
import type { RunSeed } from "../model/run-seed.ts";

/** One start of the coordinator, as recorded. */
export interface RecordedStart {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly policy: Policy;
  readonly records: readonly TimedRunRecord[];
}

/** A run as it is known from its plan and its journal. */
export interface RecordedRun {
  /** Name of the spec. */
  readonly spec: string;
  /** How people name it on the command line; the spec's name if not given. */
  readonly address?: SpecAddress;
  /** The current plan. */
  readonly plan: Plan;
  /** Oldest first. */
  readonly starts: readonly RecordedStart[];
  /** Amounts spent before the first record (none if not given). */
  readonly seed?: RunSeed | undefined;
  /** Whether the last start is still running. */
  readonly alive: boolean;
}

/**
 * Records since the last choice of a task, with the policy of the start that made the choice; null if there are none.
 */
export function lastTurn(starts: readonly RecordedStart[]): RecordedStart | null {
  const begun = starts.findLastIndex(({ records }) => records.some(beginsTurn));
  const start = starts[begun];
  if (start === undefined) return null;
  const records = start.records.slice(start.records.findLastIndex(beginsTurn));
  return { ...start, records: [...records, ...starts.slice(begun + 1).flatMap((later) => later.records)] };
}
