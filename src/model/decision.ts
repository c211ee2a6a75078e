import * as z from "zod";
import type { Repair } from "./directive.ts";
import { type Escalation, Level, StuckReason } from "./escalation.ts";
import type { Layer, Proof } from "./evidence.ts";
import type { FailureDigest } from "./failure.ts";
import type { SpentByTask } from "./ledger.ts";
import { Denial, Limit } from "./limits.ts";
import type { Policy } from "./policy.ts";
import { Rung } from "./rung.ts";
import type { TaskId } from "./task.ts";

/** A rung that was considered as the next remedy. */
export const Considered = z.object({
  rung: Rung,
  /** Limit of the rung, from which `task` has used the amount `spent`. Null for a rung without a limit. */
  limit: Limit.nullable(),
  task: z.string(),
  spent: z.number(),
  /** Null if unlimited. */
  max: z.number().nullable(),
  /** Why the rung was not chosen; null for the chosen rung. */
  passedOver: z.enum(["spent", "stuck", "repeated", "total"]).nullable(),
});
export type Considered = z.infer<typeof Considered>;

interface Rejection {
  readonly layer: Layer;
  readonly reason: string;
  /** Number of consecutive rejections, including this one. */
  readonly times: number;
}

/** Result of the last attempt at a task: it failed, or its claim was rejected. */
export type Setback =
  | {
      readonly failure: FailureDigest;
      readonly rejection: null;
      /**
       * Set if an earlier attempt failed at the work, and this attempt failed only because its final message is not
       * valid.
       */
      readonly afterWork?: true;
    }
  | { readonly failure: null; readonly rejection: Rejection };

/** A skipped task: a planned task, a fix task or a part. */
export interface SkippedTask {
  readonly task: TaskId;
  readonly justification: string;
  readonly by: "operator" | "person";
}

export const Decision = z.union([
  z.object({ kind: z.enum([...Rung.options, "gate"]) }),
  z.object({ kind: z.literal("exhausted"), denial: Denial }),
]);
export type Decision = z.infer<typeof Decision>;

export interface Deliberation {
  readonly decision: Decision;
  /** Null if the task is not stuck. */
  readonly stuck: StuckReason | null;
  readonly considered: readonly Considered[];
}

const counted = z.object({ count: z.int().min(0), max: z.number().nullable() });

/** Numbers that decide whether a task is stuck, each with its maximum; a maximum of null means unlimited. */
export const StuckCounts = z.object({
  /** Consecutive failures with the same error. */
  sameErrors: counted,
  /** Consecutive failures without a file change. */
  unchanged: counted,
  /** Consecutive failures since the lowest number of failing checks; null if no tool names or counts checks. */
  sinceBest: counted.nullable(),
  /** Failed or rejected attempts at the planned task and its fix tasks. */
  failures: counted,
  /** Attempts that `maxTotalAttempts` counts. */
  total: counted,
  /** Phrase in which the last attempt admits being stuck; null if it contains none. */
  admission: z.string().nullable(),
});
export type StuckCounts = z.infer<typeof StuckCounts>;

/** The next step for a task. `begin`: delegate the task, since nothing has failed; `ask`: a person must decide. */
export const Decided = z.object({
  kind: z.enum(["begin", ...Rung.options, "ask", "exhausted"]),
  /** Limit that denied another attempt; only with `exhausted`. */
  denial: Denial.optional(),
  stuck: StuckReason.nullable(),
  level: Level,
  considered: z.array(Considered),
  counts: StuckCounts,
});
export type Decided = z.infer<typeof Decided>;

/** State of a task, derived from the state of the run: the input of decisions and effects. */
export interface DecisionState {
  readonly root: TaskId;
  /** The root, a fix task or a part, whichever comes next. */
  readonly current: TaskId;
  /** Amounts spent, by task of the tree. */
  readonly spent: SpentByTask;
  readonly policy: Policy;
  /** Whether other tasks of the batch run at the same time. */
  readonly grouped: boolean;
  /** Whether the box stays open after the task is done. */
  readonly keepOpen: boolean;
  readonly escalation: Escalation;
  /** A person's guidance; null if there is none. */
  readonly guidance: string | null;
  /** Last remedy after a failed or rejected attempt; null before the first remedy. */
  readonly remedy: Rung | null;
  /** Followed directives of the repair operator, oldest first. */
  readonly repairs: readonly Repair[];
  readonly leftOut: readonly SkippedTask[];
  /** Question to a person about a blocker, the environment or the proof; null if no question is open. */
  readonly question: { readonly about: "blocked" | "environment" | "guard"; readonly text: string } | null;
  /** Proof of the current task; set when its claim is accepted. */
  readonly proof: Proof;
  /** Why the last attempt at the current task failed; null before any attempt, and after a rejected claim. */
  readonly failure: FailureDigest | null;
  /** Why the last claim of the current task was rejected; null after any other result. */
  readonly rejection: Rejection | null;
  /**
   * Whether an earlier attempt failed at the work, and the last attempt failed only because its final message is not
   * valid.
   */
  readonly afterWork?: boolean;
}
