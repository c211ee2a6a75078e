import type { RunEnding, RunEvent } from "../../src/model/event.ts";
import type { Policy } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { Violation } from "./world.ts";

/** The result of a simulated run. */
export interface FaultRun {
  readonly seed: number;
  readonly policy: Policy;
  /** The initial plan. */
  readonly plan: string;
  /** The end of each start: the ending of its run, `killed`, `refused` before it resumed, or `broken` by a defect. */
  readonly starts: readonly (RunEnding | "killed" | "refused" | "broken")[];
  /** The end of the last start. */
  readonly outcome: RunEnding | "killed" | "refused" | "broken";
  readonly records: readonly TimedRunRecord[];
  readonly events: readonly RunEvent[];
  /** The final `tasks.md`, `.progress.md` and `SUMMARY.md`. */
  readonly tasks: string;
  readonly progress: string;
  readonly summary: string;
  /** The events, line by line. */
  readonly story: readonly string[];
  /** Number of times that each behaviour and each fault occurred, by name. */
  readonly counts: Readonly<Record<string, number>>;
  /** Violated invariants; normally none. */
  readonly violations: readonly Violation[];
}
