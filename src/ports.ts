import type { Baseline } from "./model/baseline.ts";
import type { BoxChange } from "./model/box-change.ts";
import type { SpecAddress } from "./model/command-line.ts";
import type { Directive, Repair } from "./model/directive.ts";
import type { Answer, Denial, QuestionTopic } from "./model/effect.ts";
import type { Escalation, Level } from "./model/escalation.ts";
import type { TaskProgress } from "./model/event.ts";
import type { ReviewEvidence } from "./model/evidence.ts";
import type { OutputDigest } from "./model/failed-check.ts";
import type { FailureDigest, FailureLeft } from "./model/failure.ts";
import type { FixEnd, FixTask } from "./model/fix-task.ts";
import type { GitEvidence, GitMark } from "./model/git-evidence.ts";
import type { Judgement } from "./model/judgement.ts";
import type { SpentByTask } from "./model/ledger.ts";
import type { ChangeType } from "./model/modification-request.ts";
import type { DeniedAct } from "./model/permissions.ts";
import type { PersonDecision } from "./model/person-event.ts";
import type { Plan } from "./model/plan.ts";
import type { PlanChange } from "./model/plan-change.ts";
import type { Rung, RunLimits } from "./model/policy.ts";
import type { AttemptKey, Reply, Usage } from "./model/reply.ts";
import type { SummaryEntry } from "./model/stuck-report.ts";
import type { Role } from "./model/task.ts";
import type { TaskId } from "./model/task-id.ts";

/** One task handed to an executor. */
export interface Delegation {
  /** `<task id>#<attempt>`; the same again when a delegation is repeated after a crash. */
  readonly key: AttemptKey;
  readonly role: Role;
  readonly taskId: TaskId;
  /** Counted from 1. */
  readonly attempt: number;
  readonly prompt: string;
  /** Absolute folder to work in. */
  readonly workspace: string;
  /** Absolute folder of the spec. */
  readonly spec: string;
  /** Absolute path of the log to write into: that of the spec, or one of its own in a batch. */
  readonly progressFile: string;
}

/** What an executor shows of its work while it is at it. */
export interface WorkProgress {
  /** The tool it uses, such as `Bash`. */
  readonly tool?: string;
  /** What it does with that, or says; of several lines the last one is shown. */
  readonly line?: string;
  /** Tokens so far, input and output. */
  readonly tokens?: number;
}

/** Tells what is done now; what was told before of a tool and a line is over then. May be called as often as one likes. */
export type TellProgress = (progress: WorkProgress) => void;

/**
 * Does a task and says so. Executors are expected to find work already done, not to redo it. What they tell of their
 * progress is shown and nothing else.
 */
export type Executor = (delegation: Delegation, signal: AbortSignal, progress: TellProgress) => Promise<Reply | string>;

/** One executor, or several of which the next stands in for one that cannot work. */
export type ExecutorChain = Executor | readonly [Executor, ...Executor[]];

/** What only a person can answer. */
export interface PersonQuestion {
  readonly task: TaskId;
  /**
   * `repair`: is it tried again, left out, or is this the end? `checkpoint`: how is it to go on? `blocked`: what its
   * executor asks. `environment`: is what fails one task after the other put right?
   */
  readonly about: QuestionTopic;
  /** What was expected, what happened and what was tried, for people. */
  readonly text: string;
}

/** What a person answers. */
export type PersonAnswer =
  | { readonly kind: "decided"; readonly decision: PersonDecision }
  | { readonly kind: "guided"; readonly text: string };

/** Who plays which role. Without a reviewer nothing is reviewed. */
export interface Executors {
  readonly executor: ExecutorChain;
  /**
   * Who does the attempts that a rung of the ladder leads to, in place of the executor. A rung that has nobody takes
   * those of the nearest rung before it, in the order of `Rung`, else the executor.
   */
  readonly rungs?: Readonly<Partial<Record<Rung, ExecutorChain>>>;
  /** Does `[VERIFY]` tasks; the executor when not given. */
  readonly verifier?: ExecutorChain;
  readonly reviewer?: ExecutorChain;
  /** Chooses how a failed task is repaired; the executor when not given. */
  readonly operator?: ExecutorChain;
}

/** How a command ended. A non-zero exit is a result; what cannot be started is thrown. */
export interface CommandResult {
  /** Null when a signal or a limit ended it. */
  readonly exitCode: number | null;
  /** The last part of each stream. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** The time limit that ended it. */
  readonly limitMs?: number | undefined;
}

/** How a command is run. */
export interface CommandOptions {
  readonly timeoutMs: number;
  /** Name under which its whole output is kept, among those of the run. */
  readonly keepAs?: string;
}

/** Runs the plan's Verify commands. */
export interface Shell {
  /** @param command For `sh -c`, in the workspace, with a time limit and its own process group. */
  run(command: string, options: CommandOptions, signal: AbortSignal): Promise<CommandResult>;
  /**
   * Read the whole of an output that was kept, stdout first, piece by piece. Answers whether it was kept; a shell that
   * keeps nothing has no such function, and what its results hold is taken for the whole.
   */
  readKept?(name: string, see: (piece: string) => void): Promise<boolean>;
  /** Whether a word names a command that can be run there. */
  exists(word: string): Promise<boolean>;
}

/** The repository around the workspace. */
export interface Git {
  /** The abbreviated hash of HEAD; null outside a repository or before the first commit. */
  head(): Promise<string | null>;
  /** Where it stands now; null outside a repository. */
  mark(): Promise<GitMark | null>;
  /** What has become of it since; null outside a repository. */
  since(mark: GitMark): Promise<GitEvidence | null>;
  /**
   * Commit the spec's own files and nothing else, or all else that differs in the workspace but run data. Waits for a
   * lock, and never removes one.
   *
   * @param what The spec's files when not given.
   * @returns The abbreviated hash; null when there was nothing to commit.
   * @throws {EnvironmentError} `git-locked`, `git-refused`
   */
  commit(message: string, what?: "spec" | "work"): Promise<string | null>;
}

/** A plan and the text it was read from. The same object as long as the text is the same. */
export interface OpenPlan {
  readonly text: string;
  readonly plan: Plan;
}

/** What an edit was made on, and what it made of it. */
export interface PlanEdit {
  readonly before: OpenPlan;
  readonly after: OpenPlan;
}

/** Something for the progress log. */
export type ProgressEntry =
  /** What a reviewer found that no fix can see to, as text. */
  | { readonly kind: "suggestion"; readonly task: TaskId; readonly text: string }
  /** What the command of the reality check says once the work is done; stands in place of an earlier one. */
  | {
      readonly kind: "reality";
      readonly task: TaskId;
      readonly command: string;
      readonly exitCode: number | null;
      /** The end of what it printed. */
      readonly output: string;
    }
  | { readonly kind: "completed"; readonly task: TaskId; readonly title: string; readonly commit: string | null }
  | {
      readonly kind: "fixes";
      readonly task: TaskId;
      readonly fixes: readonly TaskId[];
      /** Those among them, and others, that another fix has taken the place of. */
      readonly superseded: readonly TaskId[];
      readonly final: FixEnd;
    };

/** The documents of a spec. Executors and people may edit them at any time; edits here touch no other byte. */
export interface Documents {
  /** The plan as it is now. */
  read(): Promise<OpenPlan>;
  /** Write a fix task below the task it repairs; nothing when it stands there already. */
  insert(fix: FixTask): Promise<PlanEdit>;
  /** Set or clear a box; nothing when it is so already. */
  tick(task: TaskId, done: boolean): Promise<PlanEdit>;
  /** Tick a fix task that another one has taken the place of, with a note in its block; nothing when it is so already. */
  close(task: TaskId, by: TaskId): Promise<PlanEdit>;
  /** Write tasks beside another, and tick that if told to; nothing when they stand there already. */
  change(change: PlanChange): Promise<PlanEdit>;
  /** A file of the spec by its name, such as `design.md`; null when there is none. */
  artifact(name: string): Promise<string | null>;
  /** The progress log, or that of a member of a batch; empty when there is none. */
  progress(member?: TaskId): Promise<string>;
  /** Take over what members of a batch wrote into their own logs, in that order, and remove those. */
  merge(members: readonly TaskId[]): Promise<void>;
  /** Add a line to the progress log; nothing when the line of that task stands there already. */
  append(entry: ProgressEntry): Promise<void>;
  /** Add a line to `SUMMARY.md`, which is made when there is none; nothing when that line stands there already. */
  summarize(entry: SummaryEntry): Promise<void>;
  /**
   * Write the report of a checkpoint over the one before.
   *
   * @param path From the workspace; null: `stuck-report.md` beside the plan.
   * @returns The path as people are told it.
   */
  report(text: string, path: string | null): Promise<string>;
}

/** What a Verify command did. */
export interface VerifyRun {
  readonly command: string;
  /** Name under which its output is kept. */
  readonly name: string;
  readonly result: CommandResult;
  /** What its output says of what failed; null when it passed. */
  readonly digest: OutputDigest | null;
}

/** What is kept of an attempt between one effect and the next. */
export interface AttemptRecord extends Baseline {
  readonly reply: Reply;
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
  /** It was made by this start of the coordinator, not by one before. */
  readonly live: boolean;
}

/** What is told of a task that has passed. */
export interface PassedTask {
  readonly commit: string | null;
  /** Its lines in the progress log are still to be written. */
  readonly grouped: boolean;
  /** No command has shown that it is done (one has when not given). */
  readonly unverified?: boolean;
}

/** A command that was run, and the name under which its output is kept. */
export interface NotedCheck {
  readonly command: string;
  readonly name: string;
  readonly passed: boolean;
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
}

/** A change of the plan as it is recorded before it is written. */
export interface PlannedChange {
  readonly type: ChangeType;
  readonly change: PlanChange;
}

/** Which executors of each role can work. */
export interface Availability {
  /** Of these executors of a role the first that can work now; the one that can soonest when none can. */
  choose(role: Role, executors: readonly number[], now: number): number;
  /**
   * The executor of an attempt cannot work until then; null: not before a person has seen to it.
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

/** One line of history for a prompt. */
export interface EarlierAttempt {
  readonly attempt: AttemptKey;
  readonly text: string;
  /** What the coordinator concluded; null when it did not come to that. */
  readonly verdict: string | null;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves at an absolute time, rejects when aborted. */
  sleepUntil(time: number, signal: AbortSignal): Promise<void>;
}

/** Commands that are to be run. What was agreed to for one purpose was not agreed to for another. */
export interface CommandRequest {
  readonly purpose: "verify" | "reality";
  readonly commands: readonly string[];
}

/** What the owner says to commands; the hint tells a person how to agree later. */
export type CommandConsent = { readonly given: true } | { readonly given: false; readonly hint: string };

/** Everything the effects need from the outside. */
export interface Ports {
  readonly executors: Executors;
  readonly documents: Documents;
  readonly shell: Shell;
  readonly git?: Git;
  readonly clock: Clock;
  /** Whether the owner agrees to commands that come up during the run. Without it only those of the plan may run. */
  readonly consent?: (request: CommandRequest) => Promise<CommandConsent>;
  /** Asks a person; null when none is there, and the run stops with the question. Without it nobody ever is. */
  readonly person?: (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer | null>;
  /**
   * A name for the state of the files, commits included: of the repository, else of those that a task declares. Null
   * when it is not known. The spec's own files do not count.
   *
   * @param declared Paths from the workspace.
   */
  readonly fileState?: (declared: readonly string[]) => Promise<string | null>;
  /** Told what is seen of the work on an attempt, at most four times a second; it is recorded nowhere. */
  readonly onProgress?: (event: TaskProgress) => void;
  /** Kept in memory when not given. */
  readonly attempts?: Attempts;
  /** Absolute folders that executors are told; empty when not given. */
  readonly workspace?: string;
  readonly spec?: string;
  /** How a person names the spec on the command line; by the name of its folder when not given. */
  readonly address?: SpecAddress;
}
