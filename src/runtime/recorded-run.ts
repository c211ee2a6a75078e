import type { SpecAddress } from "../model/command-line.ts";
import type { Plan } from "../model/plan.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";

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
  /** Whether the last start is still at work. */
  readonly alive: boolean;
}
