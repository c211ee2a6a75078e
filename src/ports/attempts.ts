import type { Baseline } from "../model/baseline.ts";
import type { Directive, Repair } from "../model/directive.ts";
import type { Answer } from "../model/effect.ts";
import type { Escalation } from "../model/escalation.ts";
import type { ReviewEvidence } from "../model/evidence.ts";
import type { FailureDigest, FailureLeft } from "../model/failure.ts";
import type { FixTask } from "../model/fix-task.ts";
import type { Judgement } from "../model/judgement.ts";
import type { SpentByTask } from "../model/ledger.ts";
import type { Denial, RunLimits } from "../model/limits.ts";
import type { DeniedAct } from "../model/permissions.ts";
import type { AttemptKey, Reply, Usage } from "../model/reply.ts";
import type { Role } from "../model/task.ts";
import type { TaskId } from "../model/task-id.ts";
import type {
  AdmittedDelegation,
  AttemptRecord,
  EarlierAttempt,
  NotedCheck,
  PassedTask,
  PlannedChange,
  VerifyRun,
} from "./attempt-record.ts";

/** Which executors of each role can work. */
export interface Availability {
  /** Of these executors of a role the first that can work now; the one that can soonest when none can. */
  choose(role: Role, executors: readonly number[], now: number): number;
  /**
   * The executor of an attempt cannot work until then; null: not before a person has dealt with it.
   *
   * @param said When that was known. It is never longer blocked than was left then, whatever clock is set.
   */
  block(attempt: AttemptKey, until: number | null, said: number): void;
  /** When one can work: `now` or a later time; null when only a person can help. */
  nextFree(role: Role, executors: readonly number[], now: number): number | null;
}

/** The memory of a run: what was spent, and what each attempt left behind. */
export interface Attempts {
  /**
   * Begin with another root task or batch: what was kept of attempts before may go.
   *
   * @param open Tasks that are open; at the first turn, the number the run begins with.
   */
  beginTurn(open: number): void;
  /** Admit a delegation and record it durably before it starts, or answer the limit that denies it. */
  admit(delegation: AdmittedDelegation, limits: RunLimits): Promise<Denial | null>;
  /** The limit that would deny one more delegation. */
  denial(limits: RunLimits): Denial | null;
  readonly availability: Availability;
  /** How things stood when an attempt was begun first; null for one that was not. */
  baseline(key: AttemptKey): Baseline | null;
  keepReply(key: AttemptKey, attempt: Baseline & Pick<AttemptRecord, "reply">): void;
  keepVerify(key: AttemptKey, verify: VerifyRun): void;
  keepReality(key: AttemptKey, reality: VerifyRun): void;
  /** A command that checks something was run. */
  noteCheck(check: NotedCheck): void;
  /** The last run of a command that passed, else the last that failed; null where this run knows of none. */
  lastCheck(command: string): NotedCheck | null;
  keepJudgement(key: AttemptKey, judgement: Judgement): void;
  /** Record durably what the claim of an attempt is answered, before the ticks go that the verdict was made from. */
  conclude(key: AttemptKey, answer: Answer<"verify">): Promise<void>;
  keepRefusal(key: AttemptKey, reason: string): void;
  /** What a delegation has used whose reply is not kept. */
  keepUsage(key: AttemptKey, usage: Usage | undefined): void;
  keepReview(key: AttemptKey, reply: Reply, review: ReviewEvidence): void;
  /** Whether an attempt can be recalled: it was made in this turn. */
  knows(key: AttemptKey): boolean;
  /** @throws {InvariantError} `attempt-unknown` */
  recall(key: AttemptKey): Promise<AttemptRecord>;
  /** What the attempts on a task before `key` ended with, oldest first, for the next prompt. */
  earlier(key: AttemptKey): Promise<readonly EarlierAttempt[]>;
  /** What reviewers found in a task before, oldest first. */
  findings(task: TaskId): readonly string[];
  /** Tasks whose executors have begun, until their claims are turned down or their passes are recorded. */
  inFlight(): ReadonlySet<TaskId>;
  /** Record a fix task durably before it is written; answers the one that was recorded for that attempt already. */
  intend(key: AttemptKey, fix: FixTask): Promise<FixTask>;
  /** The fix task as it was recorded; null for one this run did not make. */
  intended(fix: TaskId): FixTask | null;
  /** Fix tasks that others have taken the place of, and those. */
  superseded(): ReadonlyMap<TaskId, TaskId>;
  /** Record durably that a superseded fix task is done with, before it is closed in the plan. */
  noteClosed(fix: TaskId, by: TaskId): Promise<void>;
  /** Record a change of the plan durably before it is written. */
  plan(key: AttemptKey, planned: PlannedChange): Promise<void>;
  /** The change that was recorded for an attempt; null without one. */
  planned(key: AttemptKey): PlannedChange | null;
  /** Changes of the plan that a task has asked for, and generations of them above it. */
  changesOf(task: TaskId): { readonly count: number; readonly depth: number };
  /** Remember the batch that was chosen. */
  beginBatch(members: readonly TaskId[]): void;
  /** Members of the batch that was chosen last are to be done one by one from now on. */
  breakBatch(): void;
  /** Tasks that are never batched again. */
  sequential(): ReadonlySet<TaskId>;
  /** The last delegation of a task spent no attempt. */
  spare(task: TaskId): void;
  /** The change that was recorded for an attempt puts other tasks first. */
  replan(key: AttemptKey): void;
  /** A task has passed. Of a member of a batch the lines are still to be written into the progress log. */
  keepPass(task: TaskId, pass: PassedTask): void;
  /** Members of batches whose lines are still to be written. */
  unlogged(): ReadonlyMap<TaskId, string | null>;
  /** Their lines are written. */
  logged(): void;
  /** The working time of the run stands still until what this answers is called. */
  pause(): () => void;
  /** What the tree of a root task has spent. */
  spent(root: TaskId): SpentByTask;
  /** An attempt on a task has failed with that; null: its claim was rejected. */
  keepFailure(task: TaskId, failure: FailureDigest | null): void;
  /** A claim was accepted. @param left What still fails, where it was a fix for something else; null when nothing. */
  keepAcceptance(task: TaskId, left: FailureLeft | null): void;
  /** How many tasks in a row the same trouble of the environment has met, this one included. */
  meets(task: TaskId, trouble: string): number;
  /** The first of the acts that a tool did not allow, which no person was asked about for this task; null when none. */
  newDenial(task: TaskId, denials: readonly DeniedAct[]): DeniedAct | null;
  /** A person is asked about an act that a tool did not allow. */
  keepDenial(task: TaskId, denied: DeniedAct): void;
  /** How stuck a planned task is. */
  escalation(root: TaskId): Escalation;
  /** Directives of the repair operator for the tree of a planned task, oldest first. */
  repairs(root: TaskId): readonly Repair[];
  /** A directive of the repair operator for a task is followed. */
  keepDirective(task: TaskId, directive: Directive): void;
  /** What a part of a decomposed task is to do; null for a task that is no such part. */
  part(task: TaskId): string | null;
  /** A planned task is left out. */
  keepSkip(root: TaskId, justification: string): void;
  /** Planned tasks that are left out, and why. */
  skipped(): ReadonlyMap<TaskId, string>;
  /** What a person has advised for a planned task; null when nobody has. */
  guidance(root: TaskId): string | null;
  /** What a person has answered about a planned task, or that nobody has. */
  keepAnswer(root: TaskId, answer: Answer<"askPerson">): void;
  /** A checkpoint was reached, and its report written. */
  keepReport(task: TaskId, path: string): void;
  /** Where the reports of planned tasks were written to in this run. */
  reported(): ReadonlyMap<TaskId, string>;
  /** The parts of a task are put together: that has the number of an attempt, but is none. */
  countGathering(task: TaskId): void;
}
