import type { RunEnding, RunEvent } from "../../src/model/event.ts";
import type { Policy } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { Violation } from "./world.ts";

export interface FaultRun {
  readonly seed: number;
  readonly policy: Policy;
  readonly plan: string;
  /** `refused`: ended before the run was resumed. `broken`: ended with an unexpected error. */
  readonly starts: readonly (RunEnding | "killed" | "refused" | "broken")[];
  readonly outcome: RunEnding | "killed" | "refused" | "broken";
  readonly records: readonly TimedRunRecord[];
  readonly events: readonly RunEvent[];
  readonly tasks: string;
  readonly progress: string;
  readonly summary: string;
  readonly story: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}
