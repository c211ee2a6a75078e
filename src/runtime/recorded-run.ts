import type { SpecAddress } from "../model/command-line.ts";
import type { Plan } from "../model/plan.ts";
import type { Policy } from "../model/policy.ts";
import { beginsTurn, type TimedRunRecord } from "../model/record.ts";
import type { RunSeed } from "../model/run-seed.ts";

/** One start of the coordinator, as it is recorded. */
export interface RecordedStart {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly policy: Policy;
  readonly records: readonly TimedRunRecord[];
}

/** All that is known of a run from outside. */
export interface RecordedRun {
  /** Name of the spec. */
  readonly spec: string;
  /** How a person names it on the command line; by its name when not given. */
  readonly address?: SpecAddress;
  /** As it stands now. */
  readonly plan: Plan;
  /** Oldest first. */
  readonly starts: readonly RecordedStart[];
  /** What had been spent before the first record (nothing when not given). */
  readonly seed?: RunSeed | undefined;
  /** Whether the last start is still at work. */
  readonly alive: boolean;
}

/** What was recorded from the last choice of a task on, under the policy of the start that has begun it; null without one. */
export function lastTurn(starts: readonly RecordedStart[]): RecordedStart | null {
  const begun = starts.findLastIndex(({ records }) => records.some(beginsTurn));
  const start = starts[begun];
  if (start === undefined) return null;
  const records = start.records.slice(start.records.findLastIndex(beginsTurn));
  return { ...start, records: [...records, ...starts.slice(begun + 1).flatMap((later) => later.records)] };
}
