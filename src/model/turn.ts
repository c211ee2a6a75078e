import type { Setback, SkippedTask } from "./decision.ts";
import type { Answer, EffectName } from "./effect.ts";
import type { Level } from "./escalation.ts";
import type { Proof } from "./evidence.ts";
import type { FailureDigest, FixTask } from "./failure.ts";
import type { Baseline } from "./git-evidence.ts";
import type { Purpose } from "./ledger.ts";
import type { PlanChange } from "./plan-change.ts";
import type { BoxChange } from "./plan-parts.ts";
import type { Answered, Ended, Race } from "./record.ts";
import type { AttemptKey, ChangeType } from "./reply.ts";
import type { EscalationRung, Rung } from "./rung.ts";
import type { TaskId } from "./task.ts";

export type ByTask<Value> = Record<TaskId, Value>;

/** State of a turn's attempts, kept until the next turn begins. */
export interface Turn {
  attempts: Record<AttemptKey, Attempt>;
  /** State before each attempt first began. */
  baselines: Record<AttemptKey, Baseline>;
  /** Name of the workspace content before each attempt; null if unknown. */
  found: Record<AttemptKey, string | null>;
  /** The executor of each attempt. */
  executors: Record<AttemptKey, string>;
  purposes: Record<AttemptKey, Purpose>;
  /** Stuck levels of the last delegations, by task. */
  levels: ByTask<Level>;
  /** The intended fix task, by attempt. */
  fixes: Record<AttemptKey, FixTask>;
  /** The granted plan change, by attempt. */
  changes: Record<AttemptKey, PlannedChange>;
  /** Tasks whose executors have started and whose claims are neither rejected nor recorded as passed. */
  inFlight: ByTask<true>;
  /** Tasks begun and not ended, including those that wait for an executor. */
  atWork: ByTask<true>;
  /** Stages of the attempts' claims. */
  claims: Record<AttemptKey, ClaimStage>;
  /** Keys of delegations without a recorded answer: their executors may still be working. */
  unanswered: Record<string, true>;
  /** Handed-out delegations without a report, which may come to a later start. */
  handedOut: Record<string, HandedOut>;
  /** Texts of open questions to a person, by key. */
  questions: Record<string, string>;
  /** The question asked by the last answer; null if that answer is not a question. */
  asked: Asked | null;
  /** Key of the question that a person answered by ending the run; null if there is none. */
  stopped: string | null;
  /** Keys of effects that wrote the intended change. */
  written: Record<string, true>;
  /** Tasks that a start found fixed by a person; the start records this before it ticks them. */
  mended: readonly TaskId[];
  /** The pull-request task being written into the plan, with the key of its effect; not given if there is none. */
  addition?: { readonly key: string; readonly change: PlanChange; readonly checks: readonly string[] };
  /** Position of the pull-request work; not given before it begins in this turn. */
  shipping?: Shipping;
  /** Whether cleanup tasks run because the run must stop; other open tasks stay undone. */
  cleaning: boolean;
  /** The chosen tasks, by planned task. */
  chosen: ByTask<ChosenTree>;
  /** The last remedy of each task; null if there was none. */
  remedies: ByTask<Rung | null>;
  /** Results of the last attempts; null if a task counts as not attempted yet. */
  setbacks: ByTask<Setback | null>;
  /** The level decided for the next attempt, by planned task. */
  climbs: ByTask<EscalationRung>;
  /** Tasks whose next delegation is a retry. */
  retried: ByTask<true>;
  /** Skipped tasks of each planned task's tree. */
  leftOut: ByTask<readonly SkippedTask[]>;
  /** Environment problems that a person is asked about, by planned task. */
  troubles: ByTask<string>;
  /** Proofs of accepted tasks. */
  proofs: ByTask<Proof>;
  /** Workspace content after the Verify of accepted tasks; null if unknown. */
  contents: ByTask<string | null>;
  /** Races in progress, by task. */
  races: ByTask<RaceSoFar>;
  /** Number of the attempt that won the last race, by task. */
  taken: ByTask<number>;
  /** Round number of each review, by key. */
  rounds: Record<string, number>;
  /** Guidance in effect when each attempt first began; null if there was none. */
  advised: Record<AttemptKey, string | null>;
  /** Why the repair operator's answer could not be followed, by failed attempt. */
  refusals: Record<AttemptKey, string>;
  /** Planned tasks ended by a limit. */
  exhausted: readonly TaskId[];
  /** Whether the turn is over: abandoned by a later start, or ended by a limit. */
  left: boolean;
}

/** A race, and the results of its attempts so far. */
export interface RaceSoFar extends Race {
  readonly ended: Readonly<Record<AttemptKey, Extract<Answer<"delegate">, { readonly kind: "raced" }>>>;
}

/** Position of the work on a pull request. */
export interface Shipping {
  /** Number of the last answered effect: keys contain it. */
  readonly step: number;
  /** The next action, from the last push or look; null before the first push or look. */
  readonly due: Answer<"pushBranch" | "readPullRequest"> | null;
  /** An effect that must wait for an unavailable service; null if there is none. */
  readonly hindered: { readonly effect: EffectName; readonly reason: string; readonly until: number } | null;
}

/** Point at which a planned task resumes in its tree, and special conditions for it. */
export interface ChosenTree {
  readonly current: TaskId;
  /** Whether the task gets fix tasks whatever the policy says. */
  readonly alwaysFixed?: true;
  /**
   * Given if the task runs although the run must stop: the amounts spent before, which its limits do not count. The
   * task's box stays open.
   */
  readonly cleanup?: { readonly attempts: number; readonly waits: number };
}

/**
 * Stage of an attempt's claim. `begun` and `claimed`: still to be judged; `refunded`: not judged, since it does not
 * count; `judged`: rejected, or waiting for a reviewer or a person; `passed`: recorded as passed.
 */
export type ClaimStage = "begun" | "claimed" | "refunded" | "judged" | "accepted" | "passed";

/** A handed-out delegation without a report. */
export interface HandedOut {
  /** SHA-256 (hex) of the nonce that the report must carry. */
  readonly nonceHash: string;
  /** Start of the working time that is not counted yet, in milliseconds since 1970. */
  readonly since: number;
}

/** A question that may have ended a start, and the first recorded end after it; null if there is none. */
interface Asked {
  readonly ended: Ended | null;
}

/** A command that was run, and the name of its stored output. */
export interface NotedCheck {
  readonly command: string;
  readonly name: string;
  readonly passed: boolean;
}

/** A plan change as recorded before it is written. */
export interface PlannedChange {
  readonly type: ChangeType;
  readonly change: PlanChange;
}

/** Failure of an attempt, as read from its output. */
export type AttemptFailure = Pick<FailureDigest, "error" | "status" | "unstated">;

/** Result of an attempt. */
export interface Attempt {
  readonly reply: NonNullable<Answered["reply"]>;
  readonly verify: NonNullable<Answered["verify"]> | null;
  readonly reality: NonNullable<Answered["reality"]> | null;
  readonly judgement: NonNullable<Answered["judgement"]> | null;
  readonly review: NonNullable<Answered["review"]> | null;
  /** The verdict on the claim, while the plan is still being updated for it; null before and after. */
  readonly concluded: Answer<"verify"> | null;
  /** Boxes that executors changed, if a start ended before the claim was judged; null if none. */
  readonly boxes: BoxChange | null;
  /** Why the requested plan change was refused; null if none was requested, or it was granted. */
  readonly refusal: string | null;
  /** Why the attempt failed; null until the reason is read, or if it did not fail. */
  readonly failure: AttemptFailure | null;
}
