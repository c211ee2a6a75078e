import type { Before, CheckCounts } from "../model/check-run.ts";
import type { Answer, EffectName } from "../model/effect.ts";
import type { Level } from "../model/escalation.ts";
import type { Judgement, ReviewEvidence } from "../model/evidence.ts";
import type { OutputDigest } from "../model/failure-set.ts";
import type { Baseline } from "../model/git-evidence.ts";
import type { BoxChange } from "../model/plan-parts.ts";
import type { Race, TaskBase } from "../model/record.ts";
import type { AttemptKey, Reply, Usage } from "../model/reply.ts";
import type { Role } from "../model/role.ts";
import type { Rung } from "../model/rung.ts";
import type { TaskId } from "../model/task.ts";
import type { AttemptFailure, HandedOut } from "../model/turn.ts";
import type { CommandResult } from "./shell.ts";

/** One run of a Verify command. */
export interface VerifyRun {
  readonly command: string;
  /** Name under which the output is stored. */
  readonly name: string;
  readonly result: CommandResult;
  /** Digest of the failed checks; null when the command passed. */
  readonly digest: OutputDigest | null;
  /** Name of the workspace content after the run; null if unknown. */
  readonly tree?: string | null | undefined;
  readonly counts?: CheckCounts | undefined;
  /**
   * Names of checks that were red in the run directly before this one and passed in this one, with no change in
   * between.
   */
  readonly flaky?: string[] | undefined;
}

/** Facts about an attempt that later effects need. */
export interface AttemptRecord extends Baseline {
  readonly reply: Reply;
  /** Name of the workspace content before the attempt; null if unknown. */
  readonly found: string | null;
  /** Name of the workspace content after the attempt; null if unknown. */
  readonly left: string | null;
  /** Null when no Verify command was run. */
  readonly verify: VerifyRun | null;
  /** The run of the reality check; null if there was none. */
  readonly reality: VerifyRun | null;
  /** Null until the attempt is judged. */
  readonly judgement: Judgement | null;
  /** The `verify` answer while the plan is being updated for the verdict; null before and after. */
  readonly concluded: Answer<"verify"> | null;
  /** Boxes that executors changed, if a start ended before the claim was judged; null if none. */
  readonly boxes: BoxChange | null;
  /** Null if there was no review. */
  readonly review: ReviewEvidence | null;
  /** Why the requested plan change was refused; null if none was requested, or it was granted. */
  readonly refusal: string | null;
  /** Why the attempt failed; null until that is known, or if it did not fail. */
  readonly failure: AttemptFailure | null;
  /** Whether this start, not an earlier one, made the attempt. */
  readonly live: boolean;
}

/** Facts that an effect finds besides its answer. The facts are recorded with the answer, for later effects to read. */
export interface AttemptFacts {
  /** The reply of an attempt, and the baseline from before the attempt. */
  readonly reply?: Baseline & { readonly reply: Reply; readonly tree?: string | null | undefined };
  readonly verify?: VerifyRun;
  readonly reality?: VerifyRun;
  readonly judgement?: Judgement;
  readonly review?: ReviewEvidence & { readonly usage?: Usage };
  /** Usage of a delegation whose reply is not kept. */
  readonly usage?: Usage;
}

/** The answer of an effect, with the facts it found. */
export interface Outcome<Name extends EffectName> {
  readonly answer: Answer<Name>;
  readonly facts?: AttemptFacts;
}

/** A delegation as recorded before it starts. */
export interface AdmittedDelegation {
  /** Key of the attempt; a review adds `/review`. */
  readonly key: string;
  readonly task: TaskId;
  readonly title: string;
  readonly role: Role;
  readonly attempt: number;
  readonly retries: number;
  /** Index among all executors of the role, from 0; executors of rungs come last. */
  readonly executor: number;
  /** The rung that led to the delegation; not given for a first attempt, or for a role that does no task. */
  readonly rung?: Rung;
  /** Stuck level of the tree; not given if the tree is not stuck. */
  readonly level?: Level;
  /** The baseline from before the attempt; not given for a role that does no task. */
  readonly baseline?: Baseline;
  /** Result of the Verify command before the work; not given if it was not run. */
  readonly before?: Before | undefined;
  /** The run of the Verify command before the work, if this delegation made it. */
  readonly verify?: VerifyRun | undefined;
  /** Name of the workspace content; not given if unknown. */
  readonly tree?: string | null | undefined;
  /** The content on which the task starts over; not given if it does not start over. */
  readonly base?: TaskBase | undefined;
  /** The race that the attempt is part of; not given for a single attempt. */
  readonly race?: Race | undefined;
  /**
   * SHA-256 of the nonce for the worker, and the time of the handout; not given if the executor is called directly.
   */
  readonly handedOut?: HandedOut;
}

/** One line of history for a prompt. */
export interface EarlierAttempt {
  readonly attempt: AttemptKey;
  readonly text: string;
  /** The coordinator's verdict; null if there was none. */
  readonly verdict: string | null;
}
