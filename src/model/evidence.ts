import type { OutputDigest } from "./failed-check.ts";
import type { MadeFor } from "./fix-task.ts";
import type { GitEvidence } from "./git-evidence.ts";
import type { Plan } from "./plan.ts";
import type { Reply } from "./reply.ts";
import type { Task } from "./task.ts";
import type { TaskId } from "./task-id.ts";
import type { Signal } from "./verdict.ts";

/** How a command has ended that checks something. */
export interface CommandEnd {
  /** Null when a signal or a limit ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The time limit that ended it. */
  readonly limitMs?: number | undefined;
  /** The limit on its output that ended it. */
  readonly limitBytes?: number | undefined;
}

export interface CheckRan extends CommandEnd {
  readonly kind: "ran";
  /** What its output says of what failed; null when it passed. */
  readonly digest: OutputDigest | null;
}

/** What became of a task's own Verify command. */
export type VerifyEvidence =
  | CheckRan
  /** Nothing that can be run stands there; `reason` says what does. */
  | { readonly kind: "unrunnable"; readonly reason: string }
  /** The policy trusts executors. */
  | { readonly kind: "trusted" };

/** What became of the command that showed the failure before the work began. */
export type RealityEvidence =
  /** The progress log holds no `## Reality Check (BEFORE)` with a command. */
  { readonly kind: "missing" } | (CheckRan & { readonly command: string });

/** A reviewer's answer. */
export interface ReviewEvidence {
  readonly verdict: "pass" | "fail" | "none";
  /** About the code: a fix task can see to them. */
  readonly code: string;
  /** About the spec: only a person can see to them. */
  readonly spec: string;
  /** Counted from 1. */
  readonly round: number;
}

/** Everything a verdict on one attempt is made from. */
export interface CompletionEvidence {
  readonly task: Pick<Task, "id" | "markers">;
  readonly reply: Reply;
  /** What the final message says; null when it holds no signal. */
  readonly signal: Signal | null;
  /** What it asks a person before it can go on; null when it asks nothing. */
  readonly blocker: string | null;
  /** The phrase with which the final message admits a failure, null without one. */
  readonly contradiction: string | null;
  /** The plan as the coordinator left it: what is ticked there was accepted or ticked before the run. */
  readonly before: Plan;
  /** The plan as the executor left it. */
  readonly after: Plan;
  readonly requireExecutorTick: boolean;
  /** Tasks that the run had written into the plan, and that it had to put back. None when not given. */
  readonly restored?: readonly TaskId[];
  /** Tasks that were worked on at the same time: what becomes of theirs is judged with them. */
  readonly beside: readonly TaskId[];
  /** Null outside a repository. */
  readonly git: GitEvidence | null;
  readonly requireCommit: boolean;
  /**
   * What keeps its work out of the pull request: paths that are not committed, and whether it was to commit something
   * and has not. Null or not given where no pull request is made.
   */
  readonly unshipped?: { readonly dirty: readonly string[]; readonly nothing: boolean } | null;
  /** Null until the other layers have accepted. */
  readonly verify: VerifyEvidence | null;
  /** The reality check of a goal verification; null for any other task, and until the other layers have accepted. */
  readonly reality: RealityEvidence | null;
  /** What a reviewer says; null when none was asked. */
  readonly review: ReviewEvidence | null;
  /** For a fix task: what it was made for. */
  readonly madeFor: MadeFor | null;
}
