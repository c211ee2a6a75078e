import type { Baseline } from "./baseline.ts";
import type { BoxChange } from "./box-change.ts";
import type { Repair } from "./directive.ts";
import type { Answer } from "./effect.ts";
import type { Escalation, Level } from "./escalation.ts";
import type { FailureDigest } from "./failure.ts";
import type { FixTask } from "./fix-task.ts";
import type { Purpose, SpentByPurpose, SpentByTask } from "./ledger.ts";
import type { ChangeType } from "./modification-request.ts";
import type { PlanChange } from "./plan-change.ts";
import type { Book } from "./pull-request-book.ts";
import type { Answered, RunRecord } from "./record.ts";
import type { AttemptKey } from "./reply.ts";
import type { Role } from "./role.ts";
import type { Speaker } from "./speaker.ts";
import type { TaskId } from "./task-id.ts";

type ByTask<Value> = Record<TaskId, Value>;
export type Ended = Extract<RunRecord, { type: "ended" }>;

/**
 * What a run has done and where it stands, as plain JSON: what its records come to, and nothing else. `apply` is the
 * only function that changes it.
 */
export interface RunState {
  /** What a person has advised while no task was at work, until one is chosen. */
  advice: { readonly text: string; readonly by?: Speaker | undefined } | null;
  /** Tasks that were open when the run began; null until the first choice of a task where nobody has said. */
  open: number | null;
  /** Turns that were begun: each chooses a task or a batch. */
  turns: number;
  /** Delegations. */
  iterations: number;
  costUsd: number;
  tokens: number;
  /** Working time at the last record that tells it, in milliseconds. */
  elapsedMs: number;
  /** Whether something was used of which nobody has told how much. */
  unknownUsage: { cost: boolean; tokens: boolean };
  /** What delegations have cost, by what they were made for. */
  costs: SpentByPurpose;
  /** What tasks have spent. */
  tasks: SpentByTask;
  /** The task that each fix task was made for, as `tasks` has it. */
  fixParents: ByTask<TaskId>;
  /** Fix tasks that others have taken the place of, and those, as `tasks` has it. */
  superseded: ByTask<TaskId>;
  /** What fix tasks were made for, and after how many attempts at it: all that is asked of one behind its turn. */
  fixes: ByTask<Pick<FixTask, "error" | "madeFor"> & { readonly madeAfter?: number }>;
  /** Changes of the plan that tasks have asked for and were granted. */
  changes: ByTask<number>;
  /** How many generations of such changes are above a task that one of them has added. */
  generations: ByTask<number>;
  /** What is known of the trees of planned tasks. */
  trees: ByTask<Tree>;
  /** Planned tasks that are left out, and why. */
  skipped: ByTask<string>;
  /** Where stuck reports of planned tasks were written to. */
  reports: ByTask<string>;
  /** Tasks that this run has accepted. */
  accepted: ByTask<true>;
  /** Those of them that no command has shown to be done. */
  unverified: ByTask<true>;
  /** The batch that is under way; empty while a task is done on its own. */
  batch: readonly TaskId[];
  /** Tasks that are never batched again. */
  sequential: ByTask<true>;
  /** Tasks that have passed whose lines in the progress log are owed, each with its commit. */
  owed: ByTask<string | null>;
  /** Tasks that have passed, and whose boxes and log lines are not known to be flushed, each with its commit. */
  unflushed: ByTask<string | null>;
  /** Executors of a role that cannot work. */
  blocked: Record<string, Block>;
  /** The trouble of the environment that tasks have met one after the other. */
  trouble: { what: string | null; tasks: readonly TaskId[] };
  /** Names under which the outputs of commands are kept: of the last run that passed, and of the last that failed. */
  checks: { passed: Record<string, string>; failed: Record<string, string> };
  /** How the last start has ended; null while one is under way, and behind one that was killed. */
  ended: Ended | null;
  /** Whether an executor or a Verify command ran since a start has last told its end. */
  worked: boolean;
  /** Whether the run was told to pause, and not to go on since. */
  paused: boolean;
  /** What was done for its pull request; not there before that begins. */
  pullRequest?: Book;
  turn: Turn;
}

/**
 * To be raised whenever a record comes to something else than before, or a state has another form: snapshots that are
 * kept count no more then.
 */
export const stateVersion = 16;

/** What is known of the tree of a planned task. */
export interface Tree {
  readonly escalation?: Escalation;
  /** Directives of the repair operator, oldest first. */
  readonly repairs?: readonly Repair[];
  /** What the executor of one of its tasks has asked, until it is answered. */
  readonly question?: { readonly task: TaskId; readonly text: string };
  /** What a person has advised. */
  readonly guidance?: string;
  /** Acts a tool did not allow that a person was asked about. */
  readonly denied?: readonly string[];
}

/** Until when an executor cannot work, null: not before a person has seen to it; and when that was said. */
export interface Block {
  readonly until: number | null;
  /** Null where it is not known. */
  readonly said: number | null;
}

/** What is known of the attempts of a turn, until the next one begins. */
export interface Turn {
  attempts: Record<AttemptKey, Attempt>;
  /** How things stood when each was begun first. */
  baselines: Record<AttemptKey, Baseline>;
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
  /** Whether tasks are carried out although the run has to stop: what stays open is not done. */
  cleaning: boolean;
  /** Whether it is not gone on with: a later start has left it, or a limit has ended it. */
  left: boolean;
}

/**
 * How far the claim of an attempt is: `begun` and `claimed` are still to be judged; `refunded` is not, since it counts
 * as none; `judged` was turned down or waits for a reviewer or a person; `passed` is recorded as such.
 */
export type ClaimStage = "begun" | "claimed" | "refunded" | "judged" | "accepted" | "passed";

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

/** What a record by task, attempt or name has; undefined where it has nothing, whatever the key is called. */
export const at = <Value>(of: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(of, key) ? of[key] : undefined;

/** How an executor among all of a role is named, counted from 0. */
export const executorName = (role: Role, executor: number): string => `${role} ${executor}`;
