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

/** A rung that was looked at in a decision, and what was counted. */
export const Considered = z.object({
  rung: Rung,
  /** The limit that was asked, on which task, and what it had counted; null for a rung without one. */
  limit: Limit.nullable(),
  task: z.string(),
  spent: z.number(),
  /** Null where there is none. */
  max: z.number().nullable(),
  /** Why it was passed over; null for the one that was chosen. */
  passedOver: z.enum(["spent", "stuck", "repeated", "total"]).nullable(),
});
export type Considered = z.infer<typeof Considered>;

/** Why a claim was not in order. */
interface Rejection {
  readonly layer: Layer;
  readonly reason: string;
  /** How many there were in a row, this one included. */
  readonly times: number;
}

/** What the last attempt on a task came to: it failed, or its claim was rejected. */
export type Setback =
  | {
      readonly failure: FailureDigest;
      readonly rejection: null;
      /** The failure before it was one of the work, while only words are missing in this one. */
      readonly afterWork?: true;
    }
  | { readonly failure: null; readonly rejection: Rejection };

/** A task that is gone on without: the planned task, or a fix or a part below it. */
export interface LeftOut {
  readonly task: TaskId;
  readonly justification: string;
  /** Who has decided it. */
  readonly by: "operator" | "person";
}

/** The next move after an attempt that was not accepted: a remedy, a question to a person, or none. */
export const Decision = z.union([
  z.object({ kind: z.enum([...Rung.options, "gate"]) }),
  z.object({ kind: z.literal("exhausted"), denial: Denial }),
]);
export type Decision = z.infer<typeof Decision>;

/** A decision, and all that was looked at for it. */
export interface Deliberation {
  readonly decision: Decision;
  /** Why it counts as stuck; null when it does not. */
  readonly stuck: StuckReason | null;
  readonly considered: readonly Considered[];
}

const counted = z.object({ count: z.int().min(0), max: z.number().nullable() });

/** What is known of being stuck, each count with its limit; null where there is none. */
export const StuckCounts = z.object({
  /** Failures in a row with one error, and in a row without a changed file. */
  sameErrors: counted,
  unchanged: counted,
  /** Failures in a row that left no fewer checks failing; null where no tool names or counts them. */
  sinceBest: counted.nullable(),
  /** Attempts on the planned task and its fixes that were not accepted. */
  failures: counted,
  /** Attempts that count for `maxTotalAttempts`. */
  total: counted,
  /** The phrase with which the last attempt admits to be at a loss; null without one. */
  admission: z.string().nullable(),
});
export type StuckCounts = z.infer<typeof StuckCounts>;

/** What is decided next for a task. `begin`: nothing has failed, and it is delegated; `ask`: a person has to decide. */
export const Decided = z.object({
  kind: z.enum(["begin", ...Rung.options, "ask", "exhausted"]),
  /** The limit that says no; only with `exhausted`. */
  denial: Denial.optional(),
  stuck: StuckReason.nullable(),
  /** The level of being stuck that its tree had reached. */
  level: Level,
  considered: z.array(Considered),
  counts: StuckCounts,
});
export type Decided = z.infer<typeof Decided>;

/** Where a task stands: all that is decided from, and that effects are asked with, out of the state of its run. */
export interface Standing {
  /** The planned task that is being finished. */
  readonly root: TaskId;
  /** The task of its tree that is up: the root, a fix or a part below it. */
  readonly current: TaskId;
  /** What each task of the tree has spent. */
  readonly spent: SpentByTask;
  /** As it holds for this task. */
  readonly policy: Policy;
  /** Others are worked on beside it. */
  readonly grouped: boolean;
  /** Its box stays open when it is done. */
  readonly keepOpen: boolean;
  /** How stuck it is, and what it has been through. */
  readonly escalation: Escalation;
  /** What a person has advised; null when nobody has. */
  readonly guidance: string | null;
  /** What was tried last for a failed or rejected attempt; null before that. */
  readonly remedy: Rung | null;
  /** Directives of the repair operator that were followed, oldest first. */
  readonly repairs: readonly Repair[];
  /** What was left out, oldest first. */
  readonly leftOut: readonly LeftOut[];
  /** What a person is to be asked beside the usual; null while nothing of that kind is. */
  readonly question: { readonly about: "blocked" | "environment" | "guard"; readonly text: string } | null;
  /** What has shown that the current task is done, once its claim is accepted. */
  readonly proof: Proof;
  /** What the last attempt on the current task failed with; null when its claim was rejected, or before that. */
  readonly failure: FailureDigest | null;
  /** Why the last claim on the current task was rejected; null when it was not. */
  readonly rejection: Rejection | null;
  /** The failure before the last one was one of the work, and in the last one only words are missing. */
  readonly afterWork?: boolean;
}
