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

/** A rung that was considered for the next step, with its count. */
export const Considered = z.object({
  rung: Rung,
  /** The limit of the rung; `task` has used `spent` of it. Null for a rung without a limit. */
  limit: Limit.nullable(),
  task: z.string(),
  spent: z.number(),
  /** Null if unlimited. */
  max: z.number().nullable(),
  /** Why the rung was not chosen; null for the chosen one. */
  passedOver: z.enum(["spent", "stuck", "repeated", "total"]).nullable(),
});
export type Considered = z.infer<typeof Considered>;

/** Why a claim was rejected. */
interface Rejection {
  readonly layer: Layer;
  readonly reason: string;
  /** Number of rejections in a row, this one included. */
  readonly times: number;
}

/** Result of the last attempt on a task: failed, or claim rejected. */
export type Setback =
  | {
      readonly failure: FailureDigest;
      readonly rejection: null;
      /** Set if an earlier attempt failed at the work, and this attempt only lacks a proper final message. */
      readonly afterWork?: true;
    }
  | { readonly failure: null; readonly rejection: Rejection };

/** A skipped task: the planned task, or a fix or part below it. */
export interface SkippedTask {
  readonly task: TaskId;
  readonly justification: string;
  /** Whether the repair operator or a person skipped the task. */
  readonly by: "operator" | "person";
}

/** The next step after an unaccepted attempt: a remedy, a question to a person, or none. */
export const Decision = z.union([
  z.object({ kind: z.enum([...Rung.options, "gate"]) }),
  z.object({ kind: z.literal("exhausted"), denial: Denial }),
]);
export type Decision = z.infer<typeof Decision>;

/** A decision, and the rungs considered for it. */
export interface Deliberation {
  readonly decision: Decision;
  /** Why the task is stuck; null if it is not. */
  readonly stuck: StuckReason | null;
  readonly considered: readonly Considered[];
}

const counted = z.object({ count: z.int().min(0), max: z.number().nullable() });

/** Counts that decide whether a task is stuck, each with its limit; null if unlimited. */
export const StuckCounts = z.object({
  /** Failures in a row with the same error. */
  sameErrors: counted,
  /** Failures in a row without a file change. */
  unchanged: counted,
  /** Failures in a row without a new minimum of failing checks; null if no tool names or counts failing checks. */
  sinceBest: counted.nullable(),
  /** Unaccepted attempts on the planned task and its fixes. */
  failures: counted,
  /** Attempts that count for `maxTotalAttempts`. */
  total: counted,
  /** The phrase in which the last attempt admitted being stuck; null if there is none. */
  admission: z.string().nullable(),
});
export type StuckCounts = z.infer<typeof StuckCounts>;

/** The next step for a task. `begin`: nothing has failed, delegate the task; `ask`: a person must decide. */
export const Decided = z.object({
  kind: z.enum(["begin", ...Rung.options, "ask", "exhausted"]),
  /** The limit that denied another attempt; only with `exhausted`. */
  denial: Denial.optional(),
  stuck: StuckReason.nullable(),
  /** Stuck level of the tree. */
  level: Level,
  considered: z.array(Considered),
  counts: StuckCounts,
});
export type Decided = z.infer<typeof Decided>;

/** State of a task: the input of its decisions and effects, derived from the state of the run. */
export interface DecisionState {
  /** The current planned task. */
  readonly root: TaskId;
  /** The current task of the root's tree: the root, a fix or a part. */
  readonly current: TaskId;
  /** Amounts spent by each task of the tree. */
  readonly spent: SpentByTask;
  /** The policy for this task. */
  readonly policy: Policy;
  /** Whether other batch members are worked on at the same time. */
  readonly grouped: boolean;
  /** Whether the box stays open when the task is done. */
  readonly keepOpen: boolean;
  /** Stuck level and history of the tree. */
  readonly escalation: Escalation;
  /** A person's guidance; null if there is none. */
  readonly guidance: string | null;
  /** The last remedy after a failed or rejected attempt; null before the first. */
  readonly remedy: Rung | null;
  /** Directives of the repair operator that were followed, oldest first. */
  readonly repairs: readonly Repair[];
  /** Skipped tasks, oldest first. */
  readonly leftOut: readonly SkippedTask[];
  /** A question to a person about a blocker, the environment or the proof; null if there is none. */
  readonly question: { readonly about: "blocked" | "environment" | "guard"; readonly text: string } | null;
  /** The proof of the current task, after its claim is accepted. */
  readonly proof: Proof;
  /** Why the last attempt on the current task failed; null if its claim was rejected, or before any attempt. */
  readonly failure: FailureDigest | null;
  /** Why the last claim on the current task was rejected; null if it was not. */
  readonly rejection: Rejection | null;
  /** Whether an earlier attempt failed at the work, and the last attempt only lacks a proper final message. */
  readonly afterWork?: boolean;
}
