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

/** State of the attempts in a turn. It is dropped when the next turn begins. */
export interface Turn {
  attempts: Record<AttemptKey, Attempt>;
  /** State before each attempt began for the first time. */
  baselines: Record<AttemptKey, Baseline>;
  /** Hash of the workspace files before each attempt; null if unknown. */
  found: Record<AttemptKey, string | null>;
  executors: Record<AttemptKey, string>;
  purposes: Record<AttemptKey, Purpose>;
  /** Stuck level of the last delegation, by task. */
  levels: ByTask<Level>;
  /** Fix task that each attempt leads to. */
  fixes: Record<AttemptKey, FixTask>;
  /** Granted plan change of each attempt. */
  changes: Record<AttemptKey, PlannedChange>;
  /** Tasks with a started executor and a claim that is neither rejected nor recorded as passed. */
  inFlight: ByTask<true>;
  /** Tasks that have begun and not ended, even those that wait for an executor. */
  atWork: ByTask<true>;
  claims: Record<AttemptKey, ClaimStage>;
  /** Keys of delegations without an answer: their executors may still be running. */
  unanswered: Record<string, true>;
  /** Delegations that are handed out and have no report yet; a later start may get the report. */
  handedOut: Record<string, HandedOut>;
  /** Open questions to a person, by key of their effects. */
  questions: Record<string, string>;
  /** Set if the last answer is a question; otherwise null. */
  asked: Asked | null;
  /** Key of the question that a person answered with `stop`; null if there is none. */
  stopped: string | null;
  /** Keys of effects whose change is in the plan. */
  written: Record<string, true>;
  /** Tasks that a person had fixed when the start began; recorded before they are ticked. */
  mended: readonly TaskId[];
  /** Task about the pull request, while the run writes the task into the plan. `key` is the key of the effect. */
  addition?: { readonly key: string; readonly change: PlanChange; readonly checks: readonly string[] };
  /** Progress of the pull-request phase; not given before it begins in this turn. */
  shipping?: Shipping;
  /** Whether only cleanup tasks run, since the run must stop. */
  cleaning: boolean;
  chosen: ByTask<ChosenTree>;
  /** Last remedy, by task; null without a remedy. */
  remedies: ByTask<Rung | null>;
  /** Result of the last attempt, by task; null if the task counts as not attempted. */
  setbacks: ByTask<Setback | null>;
  /** Stuck level of the next attempt, by planned task. */
  climbs: ByTask<EscalationRung>;
  /** Tasks whose next delegation is a retry. */
  retried: ByTask<true>;
  /** Skipped tasks of each tree, by planned task. */
  leftOut: ByTask<readonly SkippedTask[]>;
  /** Environment problems that a person has been asked about, by planned task. */
  troubles: ByTask<string>;
  proofs: ByTask<Proof>;
  /** Hash of the workspace files after the Verify of accepted tasks; null if unknown. */
  contents: ByTask<string | null>;
  races: ByTask<RaceSoFar>;
  /** Number of the attempt that won the last race, by task. */
  taken: ByTask<number>;
  /** Round of each review, by key of its effect. */
  rounds: Record<string, number>;
  /** Guidance when each attempt first began; null without guidance. */
  advised: Record<AttemptKey, string | null>;
  /** Why the answer of the repair operator could not be followed, by failed attempt. */
  refusals: Record<AttemptKey, string>;
  /** Planned tasks that a limit ended. */
  exhausted: readonly TaskId[];
  /** Whether the turn is over, because a later start abandoned it or a limit ended it. */
  left: boolean;
}

export interface RaceSoFar extends Race {
  readonly ended: Readonly<Record<AttemptKey, Extract<Answer<"delegate">, { readonly kind: "raced" }>>>;
}

export interface Shipping {
  /** Number of the last answered effect; keys contain this number. */
  readonly step: number;
  /**
   * Next action, derived from the last push or the last reading of the pull request; null before the first push or
   * reading.
   */
  readonly due: Answer<"pushBranch" | "readPullRequest"> | null;
  /** Effect that waits for an unavailable service; null if there is none. */
  readonly hindered: { readonly effect: EffectName; readonly reason: string; readonly until: number } | null;
}

/** Point in a tree at which a planned task continues. */
export interface ChosenTree {
  readonly current: TaskId;
  /** Whether the task gets fix tasks even if the policy has none. */
  readonly alwaysFixed?: true;
  /** Earlier amounts of a cleanup task, which its limits do not count. The box of the task stays open. */
  readonly cleanup?: { readonly attempts: number; readonly waits: number };
}

/**
 * Stage of a claim. `begun` and `claimed`: not yet judged; `refunded`: never judged, since the attempt does not count;
 * `judged`: rejected, or waiting for a reviewer or a person; `passed`: recorded as passed.
 */
export type ClaimStage = "begun" | "claimed" | "refunded" | "judged" | "accepted" | "passed";

export interface HandedOut {
  /** SHA-256 (hex) of the nonce that the report must carry. */
  readonly nonceHash: string;
  /** Start of the working time that is not yet counted, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * A question that may have ended a start. `ended` is the first end recorded after the question; null without an end.
 */
interface Asked {
  readonly ended: Ended | null;
}

/** An executed check command; `name` is the name of its stored output. */
export interface NotedCheck {
  readonly command: string;
  readonly name: string;
  readonly passed: boolean;
}

export interface PlannedChange {
  readonly type: ChangeType;
  readonly change: PlanChange;
}

/** Texts of a failure, as read from the output of an attempt. */
export type AttemptFailure = Pick<FailureDigest, "error" | "status" | "unstated">;

export interface Attempt {
  readonly reply: NonNullable<Answered["reply"]>;
  readonly verify: NonNullable<Answered["verify"]> | null;
  readonly reality: NonNullable<Answered["reality"]> | null;
  readonly judgement: NonNullable<Answered["judgement"]> | null;
  readonly review: NonNullable<Answered["review"]> | null;
  /** Answer of `verify`, while the plan is updated for the answer; null before and after the update. */
  readonly concluded: Answer<"verify"> | null;
  /** Boxes that executors changed, if a start ended before the claim was judged; null if there are none. */
  readonly boxes: BoxChange | null;
  /** Why the plan change was refused; null if no change was requested, or if the change was granted. */
  readonly refusal: string | null;
  /** Why the attempt failed; null before the reason is determined, and for an attempt that did not fail. */
  readonly failure: AttemptFailure | null;
}
