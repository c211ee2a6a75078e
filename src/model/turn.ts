import type { Answer, EffectName } from "./effect.ts";
import type { Level } from "./escalation.ts";
import type { Proof } from "./evidence.ts";
import type { FailureDigest, FixTask } from "./failure.ts";
import type { Baseline } from "./git-evidence.ts";
import type { Purpose } from "./ledger.ts";
import type { PlanChange } from "./plan-change.ts";
import type { BoxChange } from "./plan-parts.ts";
import type { Answered, Ended, Race } from "./record.ts";
import type { AttemptKey, ChangeType, Raced } from "./reply.ts";
import type { EscalationRung, Rung } from "./rung.ts";
import type { LeftOut, Setback } from "./standing.ts";
import type { TaskId } from "./task.ts";

export type ByTask<Value> = Record<TaskId, Value>;

/** What is known of the attempts of a turn, until the next one begins. */
export interface Turn {
  attempts: Record<AttemptKey, Attempt>;
  /** How things stood when each was begun first. */
  baselines: Record<AttemptKey, Baseline>;
  /** Name of the content of the workspace as each found it; null where that could not be told. */
  found: Record<AttemptKey, string | null>;
  /** Who was given it. */
  executors: Record<AttemptKey, string>;
  purposes: Record<AttemptKey, Purpose>;
  /** The levels of being stuck that the last delegations of tasks were made at. */
  levels: ByTask<Level>;
  /** The fix task that is intended for it. */
  fixes: Record<AttemptKey, FixTask>;
  /** The change of the plan that it was granted. */
  changes: Record<AttemptKey, PlannedChange>;
  /** Tasks whose executors have begun, until their claims are turned down or their passes are recorded. */
  inFlight: ByTask<true>;
  /** Tasks that were begun and have come to no end yet, also those that wait for an executor. */
  atWork: ByTask<true>;
  /** How far the claims of its attempts are. */
  claims: Record<AttemptKey, ClaimStage>;
  /** Keys of delegations that no answer is recorded of: their executors may still be at work. */
  unanswered: Record<string, true>;
  /** Those of them that are handed out: their reports may come to a later start. */
  handedOut: Record<string, HandedOut>;
  /** Questions that wait for a person, by their keys, each with what it says. */
  questions: Record<string, string>;
  /** The one of them that is the last answer; null where that is none. */
  asked: Asked | null;
  /** Key of the question that a person has answered with the end of the run; null without one. */
  stopped: string | null;
  /** Effects that have written what was intended, by their keys. */
  written: Record<string, true>;
  /** Tasks that a start has found mended by a person, which it ticks behind that. */
  mended: readonly TaskId[];
  /** The task for a pull request that is being written into the plan, by the key of its effect; not there without one. */
  addition?: { readonly key: string; readonly change: PlanChange; readonly checks: readonly string[] };
  /** Where the work on the pull request is; not there before it begins in this turn. */
  shipping?: Shipping;
  /** Whether tasks are carried out although the run has to stop: what stays open is not done. */
  cleaning: boolean;
  /** The tasks that were chosen, by the planned task. */
  chosen: ByTask<ChosenTree>;
  /** What was tried last for a task; null where nothing was. */
  remedies: ByTask<Rung | null>;
  /** What the last attempts came to; null where a task is tried as if it were its first time. */
  setbacks: ByTask<Setback | null>;
  /** The level that was decided on for the next attempt in the tree of a planned task. */
  climbs: ByTask<EscalationRung>;
  /** Tasks whose next delegation repeats an earlier one. */
  retried: ByTask<true>;
  /** What the trees of planned tasks are gone on without. */
  leftOut: ByTask<readonly LeftOut[]>;
  /** The trouble of the environment that a person is asked about, by planned task. */
  troubles: ByTask<string>;
  /** What has shown that accepted tasks are done, and the content that their Verify has left; null: not known. */
  proofs: ByTask<Proof>;
  contents: ByTask<string | null>;
  /** Races that are under way, and the number of the attempt that was taken of the last one, by task. */
  races: ByTask<RaceSoFar>;
  taken: ByTask<number>;
  /** Which round each review is, by its key. */
  rounds: Record<string, number>;
  /** What was advised when each attempt was begun first; null where nothing was. */
  advised: Record<AttemptKey, string | null>;
  /** Why the repair operator could not be followed, by the attempt that failed. */
  refusals: Record<AttemptKey, string>;
  /** Planned tasks that a limit has ended. */
  exhausted: readonly TaskId[];
  /** Whether it is not gone on with: a later start has left it, or a limit has ended it. */
  left: boolean;
}

/** A race, and what its attempts have come to so far. */
export interface RaceSoFar extends Race {
  readonly ended: Readonly<Record<AttemptKey, Raced>>;
}

/** Where the work on a pull request is. */
export interface Shipping {
  /** Number of the last effect that was answered: keys count them. */
  readonly step: number;
  /** What is to be done, as the last push or look says; null before one. */
  readonly due: Answer<"pushBranch" | "readPullRequest"> | null;
  /** What could not be done before a time; null where nothing is hindered. */
  readonly hindered: { readonly effect: EffectName; readonly reason: string; readonly until: number } | null;
}

/** Where in its tree a planned task is gone on with, and how. */
export interface ChosenTree {
  readonly current: TaskId;
  /** Fix tasks are made for it whatever the policy says. */
  readonly alwaysFixed?: true;
  /** It is carried out though the run has to stop: what it had spent before counts for nothing, and its box stays open. */
  readonly cleanup?: { readonly attempts: number; readonly waits: number };
}

/**
 * How far the claim of an attempt is: `begun` and `claimed` are still to be judged; `refunded` is not, since it counts
 * as none; `judged` was turned down or waits for a reviewer or a person; `passed` is recorded as such.
 */
export type ClaimStage = "begun" | "claimed" | "refunded" | "judged" | "accepted" | "passed";

/** What is handed out, and not reported yet. */
export interface HandedOut {
  /** SHA-256 of the nonce that the report has to come with, in hex. */
  readonly nonce: string;
  /** From when on its time is not counted yet, in milliseconds since 1970. */
  readonly since: number;
}

/** A question that a start may have ended with: how the first start behind it has, null when none has told it. */
interface Asked {
  readonly ended: Ended | null;
}

/** A command that was run, and the name under which its output is kept. */
export interface NotedCheck {
  readonly command: string;
  readonly name: string;
  readonly passed: boolean;
}

/** A change of the plan as it is recorded before it is written. */
export interface PlannedChange {
  readonly type: ChangeType;
  readonly change: PlanChange;
}

/** What an attempt has failed with, as it was read from its output. */
export type AttemptFailure = Pick<FailureDigest, "error" | "status" | "unstated">;

/** What an attempt has come to. */
export interface Attempt {
  readonly reply: NonNullable<Answered["reply"]>;
  readonly verify: NonNullable<Answered["verify"]> | null;
  readonly reality: NonNullable<Answered["reality"]> | null;
  readonly judgement: NonNullable<Answered["judgement"]> | null;
  readonly review: NonNullable<Answered["review"]> | null;
  /** What its claim is answered while the plan is put in order for that; null before, and once it is answered. */
  readonly concluded: Answer<"verify"> | null;
  /** What executors had ticked and cleared when a start ended before its claim was judged; null when nothing. */
  readonly boxes: BoxChange | null;
  /** Why the plan was not changed as it asked; null when it did not ask, or was granted. */
  readonly refusal: string | null;
  /** What it has failed with; null before that was read, and where it has not failed. */
  readonly failure: AttemptFailure | null;
}
