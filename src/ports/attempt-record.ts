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

export interface VerifyRun {
  readonly command: string;
  /** Name of the stored output. */
  readonly name: string;
  readonly result: CommandResult;
  /** Digest of the failed checks; null when the command passed. */
  readonly digest: OutputDigest | null;
  /** Hash of the workspace files after the command ended; null if unknown. */
  readonly tree?: string | null | undefined;
  readonly counts?: CheckCounts | undefined;
  /** Names of checks that were red in the previous execution and are green now, although no file changed. */
  readonly flaky?: string[] | undefined;
}

/** Facts about an attempt that later effects need. */
export interface AttemptRecord extends Baseline {
  readonly reply: Reply;
  /** Hash of the workspace files before the attempt; null if unknown. */
  readonly found: string | null;
  /** Hash of the workspace files after the attempt; null if unknown. */
  readonly left: string | null;
  /** Null if Verify was not run. */
  readonly verify: VerifyRun | null;
  /** Null if the reality check was not run. */
  readonly reality: VerifyRun | null;
  /** Null until the attempt is judged. */
  readonly judgement: Judgement | null;
  /** Answer of `verify`, while the plan is updated for the answer; null before and after the update. */
  readonly concluded: Answer<"verify"> | null;
  /** Boxes that executors changed, if a start ended before the claim was judged; null if there are none. */
  readonly boxes: BoxChange | null;
  /** Null if there was no review. */
  readonly review: ReviewEvidence | null;
  /** Why the plan change was refused; null if no change was requested, or if the change was granted. */
  readonly refusal: string | null;
  /** Why the attempt failed; null before the reason is determined, and for an attempt that did not fail. */
  readonly failure: AttemptFailure | null;
  /** Whether the attempt belongs to this start and not to an earlier start. */
  readonly live: boolean;
}

/**
 * Facts that an effect finds in addition to its answer. They are recorded with the answer, and later effects read them.
 */
export interface AttemptFacts {
  /** Reply of an attempt, and the state before the attempt. */
  readonly reply?: Baseline & { readonly reply: Reply; readonly tree?: string | null | undefined };
  readonly verify?: VerifyRun;
  readonly reality?: VerifyRun;
  readonly judgement?: Judgement;
  readonly review?: ReviewEvidence & { readonly usage?: Usage };
  /** Usage of a delegation without a recorded reply. */
  readonly usage?: Usage;
}

/** Answer of an effect, with the facts to record. */
export interface Outcome<Name extends EffectName> {
  readonly answer: Answer<Name>;
  readonly facts?: AttemptFacts;
}

/** A delegation, recorded before it starts. */
export interface AdmittedDelegation {
  /** `<task id>#<attempt>`, with `/review` for a review. */
  readonly key: string;
  readonly task: TaskId;
  readonly title: string;
  readonly role: Role;
  readonly attempt: number;
  readonly retries: number;
  /** Index among all executors of the role, from 0; executors for rungs come last. */
  readonly executor: number;
  /** Not given for a first attempt, and for a role that does no tasks. */
  readonly rung?: Rung;
  /** Not given if the tree is not stuck. */
  readonly level?: Level;
  /** State before the attempt; not given for a role that does no tasks. */
  readonly baseline?: Baseline;
  /** Result of Verify before the work; not given if it was not run. */
  readonly before?: Before | undefined;
  /** Verify run that gave `before`; not given if `before` reuses an earlier run. */
  readonly verify?: VerifyRun | undefined;
  /** Hash of the workspace files before the attempt; not given if unknown. */
  readonly tree?: string | null | undefined;
  /** Starting point of a task that starts over; not given if the task continues on the present work. */
  readonly base?: TaskBase | undefined;
  /** Not given for a single attempt. */
  readonly race?: Race | undefined;
  /** Not given if the executor is called directly. */
  readonly handedOut?: HandedOut;
}

/** An earlier attempt, as a prompt shows it. */
export interface EarlierAttempt {
  readonly attempt: AttemptKey;
  readonly text: string;
  /** Verdict in words; null without a verdict. */
  readonly verdict: string | null;
}
