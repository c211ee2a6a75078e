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

/** What a Verify command did. */
export interface VerifyRun {
  readonly command: string;
  /** Name under which its output is kept. */
  readonly name: string;
  readonly result: CommandResult;
  /** What its output says of what failed; null when it passed. */
  readonly digest: OutputDigest | null;
  /** Name of the content of the workspace that it left; null where that cannot be told. */
  readonly tree?: string | null | undefined;
  readonly counts?: CheckCounts | undefined;
  /** Names of checks that were red in a run just before this one, without a change in between. */
  readonly flaky?: string[] | undefined;
}

/** What is kept of an attempt between one effect and the next. */
export interface AttemptRecord extends Baseline {
  readonly reply: Reply;
  /** Names of the content of the workspace as it found and as it left it; null where that cannot be told. */
  readonly found: string | null;
  readonly left: string | null;
  /** Null when no Verify command was run. */
  readonly verify: VerifyRun | null;
  /** The command of the reality check; null when none was run. */
  readonly reality: VerifyRun | null;
  /** Null until it is judged. */
  readonly judgement: Judgement | null;
  /** What its claim is answered while the plan is put in order for that; null before, and once it is answered. */
  readonly concluded: Answer<"verify"> | null;
  /** What executors had ticked and cleared when a start ended before its claim was judged; null when nothing. */
  readonly boxes: BoxChange | null;
  /** Null when nobody has reviewed it. */
  readonly review: ReviewEvidence | null;
  /** Why the plan was not changed as it asked; null when it did not ask, or was granted. */
  readonly refusal: string | null;
  /** What it has failed with; null before that was read, and where it has not failed. */
  readonly failure: AttemptFailure | null;
  /** It was made by this start of the coordinator, not by one before. */
  readonly live: boolean;
}

/** What an effect has found out beside its answer: recorded with that, and recalled for a later one. */
export interface AttemptFacts {
  /** The reply of an attempt, and how things stood when that began. */
  readonly reply?: Baseline & { readonly reply: Reply; readonly tree?: string | null | undefined };
  readonly verify?: VerifyRun;
  readonly reality?: VerifyRun;
  readonly judgement?: Judgement;
  readonly review?: ReviewEvidence & { readonly usage?: Usage };
  /** What a delegation has used whose reply is not kept. */
  readonly usage?: Usage;
}

/** What an effect answers, with what it has found out. */
export interface Outcome<Name extends EffectName> {
  readonly answer: Answer<Name>;
  readonly facts?: AttemptFacts;
}

/** A delegation as it is recorded before it starts. */
export interface AdmittedDelegation {
  /** That of the attempt, and `/review` behind it for a review. */
  readonly key: string;
  readonly task: TaskId;
  readonly title: string;
  readonly role: Role;
  readonly attempt: number;
  readonly retries: number;
  /** Which executor among all of the role, counted from 0: those of rungs behind the others. */
  readonly executor: number;
  /** The rung that led to it; none for a first attempt and a role that does no task. */
  readonly rung?: Rung;
  /** The level of being stuck; none when not given. */
  readonly level?: Level;
  /** How things stood when the attempt began; none for a role that does no task. */
  readonly baseline?: Baseline;
  /** What its Verify said before the work, and the run of it for that; none when not given. */
  readonly before?: Before | undefined;
  readonly verify?: VerifyRun | undefined;
  /** Name of the content of the workspace; none when not given. */
  readonly tree?: string | null | undefined;
  /** Where its task begins anew; none when not given. */
  readonly base?: TaskBase | undefined;
  /** The race that it is one of; none when not given. */
  readonly race?: Race | undefined;
  /** The nonce of who it is handed out to, as its SHA-256, and when; none for an executor that is called. */
  readonly handedOut?: HandedOut;
}

/** One line of history for a prompt. */
export interface EarlierAttempt {
  readonly attempt: AttemptKey;
  readonly text: string;
  /** What the coordinator concluded; null when it did not come to that. */
  readonly verdict: string | null;
}
