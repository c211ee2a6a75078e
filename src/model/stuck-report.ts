import type { SpecAddress } from "./command-line.ts";
import type { Repair } from "./directive.ts";
import type { Approach, StuckReason } from "./escalation.ts";
import type { Progress } from "./event.ts";
import type { LevelRung } from "./rung.ts";
import type { TaskId } from "./task.ts";

/** What a person needs to decide how a stuck task goes on: recorded facts only. */
export interface StuckReport {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of the spec. */
  readonly address: SpecAddress;
  /** The planned task that is stuck, and the task of its tree that failed last. */
  readonly task: { readonly id: TaskId; readonly title: string; readonly current: TaskId };
  /** The heading above it; null without one. */
  readonly phase: string | null;
  readonly done: number;
  readonly total: number;
  /** Attempts that failed, of all levels. */
  readonly failures: number;
  readonly pivots: number;
  readonly researches: number;
  readonly races: number;
  /** Oldest first, of all levels; some behind the first one may be missing. */
  readonly approaches: readonly Approach[];
  readonly findings: readonly string[];
  /** Fix tasks that were made. */
  readonly fixes: readonly TaskId[];
  readonly repairs: readonly Repair[];
  /** Why it is stuck; null when its remedies are used up. */
  readonly stuck: StuckReason | null;
  readonly lastError: string | null;
  /** How much of what Verify checks failed last; null when nobody says. */
  readonly progress: Progress;
  /** Checks that failed last, by name; of many the first. */
  readonly failing: readonly string[];
  /** Failures in a row with that error. */
  readonly sameErrors: number;
  /** What the executor said last that it needs, such as the status line of its failure; null when it said nothing. */
  readonly status: string | null;
  /** The phrase with which it admitted to be at a loss; null without one. */
  readonly admission: string | null;
  /** Paths that the last attempt had changed, from the workspace; null when that is not known. */
  readonly changed: readonly string[] | null;
  /** The task's own Verify, as it was run last; null when it was not. */
  readonly verify: {
    readonly command: string;
    readonly exitCode: number | null;
    readonly output: string;
  } | null;
  /** The end of what the last attempt said; of Verify when that failed it. */
  readonly errorLog: string;
  /** Paths of what else there is to read. */
  readonly contextFiles: readonly { readonly name: string; readonly path: string }[];
}

/** Why a task is left out that a person has decided about. */
export const leftOutByPerson = "left out by decision of a person";

/** A repair, as it is told in the summary of a spec. */
export type SummaryEntry =
  | { readonly kind: "retried"; readonly task: TaskId; readonly adjustment: string }
  | {
      readonly kind: "exhausted";
      readonly task: TaskId;
      readonly attempts: number;
      /** The level that came after them; null where a person was asked. */
      readonly level: LevelRung | null;
    }
  | { readonly kind: "decomposed"; readonly task: TaskId; readonly parts: number; readonly leftOut: number }
  | {
      readonly kind: "skipped";
      readonly task: TaskId;
      readonly justification: string;
      readonly by: "operator" | "person";
    };
