import type { SpecAddress } from "./command-line.ts";
import type { Repair } from "./directive.ts";
import type { Approach, StuckReason } from "./escalation.ts";
import type { Progress } from "./event.ts";
import type { LevelRung } from "./rung.ts";
import type { TaskId } from "./task.ts";

/** Recorded facts that a person needs to decide about a stuck task. */
export interface StuckReport {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Address of the spec. */
  readonly address: SpecAddress;
  /** The stuck planned task, and the task of its tree that failed last. */
  readonly task: { readonly id: TaskId; readonly title: string; readonly current: TaskId };
  /** The heading above the task; null if there is none. */
  readonly phase: string | null;
  readonly done: number;
  readonly total: number;
  /** Number of failed attempts at all levels since a person's last answer. */
  readonly failures: number;
  /** Number of failed attempts before that answer. */
  readonly earlier: number;
  readonly pivots: number;
  readonly researches: number;
  readonly races: number;
  /** Approaches at all levels, oldest first; some after the first may be missing. */
  readonly approaches: readonly Approach[];
  readonly findings: readonly string[];
  /** Fix tasks made. */
  readonly fixes: readonly TaskId[];
  readonly repairs: readonly Repair[];
  /** Why the task is stuck; null if no remedy is left. */
  readonly stuck: StuckReason | null;
  readonly lastError: string | null;
  /** Number of failing checks in the last run; null if unknown. */
  readonly progress: Progress;
  /** Names of checks that failed in the last run; a long list is cut. */
  readonly failing: readonly string[];
  /** Failures in a row with this error. */
  readonly sameErrors: number;
  /** The need that the executor reported, such as the status line of its failure; null if none. */
  readonly status: string | null;
  /** The phrase in which the executor admitted being stuck; null if there is none. */
  readonly admission: string | null;
  /** Paths that the last attempt changed, relative to the workspace; null if unknown. */
  readonly changed: readonly string[] | null;
  /** The last run of the task's own Verify; null if there was none. */
  readonly verify: {
    readonly command: string;
    readonly exitCode: number | null;
    readonly output: string;
  } | null;
  /**
   * Whether the next start runs the task's Verify first; if false, a person who has fixed the task must tick its box.
   */
  readonly isRerun: boolean;
  /** End of the last attempt's message, or of the Verify's output if the Verify failed the attempt. */
  readonly errorLog: string;
  /** Files for further reading. */
  readonly contextFiles: readonly { readonly name: string; readonly path: string }[];
}

/** Reason for tasks that a person skipped. */
export const leftOutByPerson = "by a person's decision";

/** A repair in the summary of a spec. */
export type SummaryEntry =
  | { readonly kind: "retried"; readonly task: TaskId; readonly adjustment: string }
  | {
      readonly kind: "exhausted";
      readonly task: TaskId;
      readonly attempts: number;
      /** The level that came next; null if a person was asked. */
      readonly level: LevelRung | null;
    }
  | { readonly kind: "decomposed"; readonly task: TaskId; readonly parts: number; readonly leftOut: number }
  | {
      readonly kind: "skipped";
      readonly task: TaskId;
      readonly justification: string;
      readonly by: "operator" | "person";
    };
