import type { SpecAddress } from "./command-line.ts";
import type { Repair } from "./directive.ts";
import type { Approach, StuckReason } from "./escalation.ts";
import type { Progress } from "./event.ts";
import type { LevelRung } from "./rung.ts";
import type { TaskId } from "./task.ts";

/** Facts that a person needs to decide about a stuck task. */
export interface StuckReport {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly address: SpecAddress;
  /** Stuck planned task; `current` is the task in its tree that failed last. */
  readonly task: { readonly id: TaskId; readonly title: string; readonly current: TaskId };
  /** The heading above the task; null if there is none. */
  readonly phase: string | null;
  readonly done: number;
  readonly total: number;
  /** Number of failed attempts since a person's last answer. */
  readonly failures: number;
  /** Number of failed attempts before a person's last answer. */
  readonly earlier: number;
  readonly pivots: number;
  readonly researches: number;
  readonly races: number;
  /** The first approach and the last approaches, oldest first. */
  readonly approaches: readonly Approach[];
  readonly findings: readonly string[];
  readonly fixes: readonly TaskId[];
  readonly repairs: readonly Repair[];
  /** Null if the task only ran out of remedies. */
  readonly stuck: StuckReason | null;
  readonly lastError: string | null;
  /** Why the claim of the last attempt was rejected; null if the attempt failed. */
  readonly rejected: string | null;
  /** Failing checks in the last run of Verify; null if unknown. */
  readonly progress: Progress;
  /** Names of the checks that failed in the last run of Verify; a long list is cut. */
  readonly failing: readonly string[];
  /** Number of consecutive failures with `lastError`. */
  readonly sameErrors: number;
  /** What the executor needs, in its own words, such as the status in its failure report; null if not reported. */
  readonly status: string | null;
  /** Phrase in which the executor admits being stuck; null without such a phrase. */
  readonly admission: string | null;
  /** Files that the last attempt changed, as paths relative to the workspace; null if unknown. */
  readonly changed: readonly string[] | null;
  /** Last run of the task's Verify; null if it was not run. */
  readonly verify: {
    readonly command: string;
    readonly exitCode: number | null;
    readonly output: string;
  } | null;
  /** Whether the next start runs Verify first; if false, a person who has fixed the task must tick the task. */
  readonly isRerun: boolean;
  /** End of the last attempt's message, or of Verify's output if Verify failed. */
  readonly errorLog: string;
  readonly contextFiles: readonly { readonly name: string; readonly path: string }[];
}

export const leftOutByPerson = "by a person's decision";

export type SummaryEntry =
  | { readonly kind: "retried"; readonly task: TaskId; readonly adjustment: string }
  | {
      readonly kind: "exhausted";
      readonly task: TaskId;
      readonly attempts: number;
      /** Next stuck level; null if a person is asked next. */
      readonly level: LevelRung | null;
    }
  | { readonly kind: "decomposed"; readonly task: TaskId; readonly parts: number; readonly leftOut: number }
  | {
      readonly kind: "skipped";
      readonly task: TaskId;
      readonly justification: string;
      readonly by: "operator" | "person";
    };
