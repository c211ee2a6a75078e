import type { RunEnding, RunEvent } from "../../src/model/event.ts";
import type { Policy } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { Violation } from "./world.ts";

/** What came of a simulated run. */
export interface FaultRun {
  readonly seed: number;
  readonly policy: Policy;
  /** The plan as it was at first. */
  readonly plan: string;
  /** How each start ended: `killed`, `refused` before it went on, `broken` by a defect, or as a run ends. */
  readonly starts: readonly (RunEnding | "killed" | "refused" | "broken")[];
  /** How the last one ended. */
  readonly outcome: RunEnding | "killed" | "refused" | "broken";
  readonly records: readonly TimedRunRecord[];
  readonly events: readonly RunEvent[];
  /** `tasks.md`, `.progress.md` and `SUMMARY.md` as they were left. */
  readonly tasks: string;
  readonly progress: string;
  readonly summary: string;
  /** What happened, line by line. */
  readonly story: readonly string[];
  /** How often each behaviour and each fault has occurred, by its name. */
  readonly counts: Readonly<Record<string, number>>;
  /** Invariants that did not hold; none when all is well. */
  readonly violations: readonly Violation[];
}
