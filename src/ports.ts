import type { Denial } from "./model/effect.ts";
import type { FixTask } from "./model/fix-task.ts";
import type { SpentByTask } from "./model/ledger.ts";
import type { Plan } from "./model/plan.ts";
import type { RunLimits } from "./model/policy.ts";
import type { AttemptKey, Reply } from "./model/reply.ts";
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
}

/** Does a task and says so. Executors are expected to find work already done, not to redo it. */
export type Executor = (delegation: Delegation, signal: AbortSignal) => Promise<Reply | string>;

/** How a command ended. A non-zero exit is a result; what cannot be started is thrown. */
export interface CommandResult {
  /** Null when a signal or a limit ended it. */
  readonly exitCode: number | null;
  /** The last part of each stream. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly timedOut: boolean;
}

/** Runs the plan's Verify commands. */
export interface Shell {
  /** @param command For `sh -c`, in the workspace, with a time limit and its own process group. */
  run(command: string, options: { readonly timeoutMs: number }, signal: AbortSignal): Promise<CommandResult>;
  /** Whether a word names a command that can be run there. */
  exists(word: string): Promise<boolean>;
}

/** Reads of the repository around the workspace. */
export interface Git {
  /** The abbreviated hash of HEAD; null outside a repository or before the first commit. */
  head(): Promise<string | null>;
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

/** A line for the progress log. */
export type ProgressEntry =
  | { readonly kind: "completed"; readonly task: TaskId; readonly title: string; readonly commit: string | null }
  | {
      readonly kind: "fixes";
      readonly task: TaskId;
      readonly fixes: readonly TaskId[];
      readonly final: "PASS" | "FAIL (max limit)";
    };

/** The documents of a spec. Executors and people may edit them at any time; edits here touch no other byte. */
export interface Documents {
  /** The plan as it is now. */
  read(): Promise<OpenPlan>;
  /** Write a fix task below the task it repairs; nothing when it stands there already. */
  insert(fix: FixTask): Promise<PlanEdit>;
  /** Set or clear a box; nothing when it is so already. */
  tick(task: TaskId, done: boolean): Promise<PlanEdit>;
  /** The progress log, empty when there is none. */
  progress(): Promise<string>;
  /** Add a line to the progress log; nothing when the line of that task stands there already. */
  append(entry: ProgressEntry): Promise<void>;
}

/** What a Verify command did. */
export interface VerifyRun {
  readonly command: string;
  readonly result: CommandResult;
}

/** What is kept of an attempt between one effect and the next. */
export interface AttemptRecord {
  readonly reply: Reply;
  /** HEAD when the attempt began; null without a repository. */
  readonly headBefore: string | null;
  /** Null when no Verify command was run. */
  readonly verify: VerifyRun | null;
}

/** A delegation as it is recorded before it starts. */
export interface AdmittedDelegation {
  readonly key: AttemptKey;
  readonly task: TaskId;
  readonly title: string;
  readonly role: Role;
  readonly attempt: number;
  readonly retries: number;
}

/** The memory of a run: what was spent, and what each attempt left behind. */
export interface Attempts {
  /**
   * Begin with another root task: what was kept of attempts on the one before may go.
   *
   * @param open Tasks that are open; at the first turn, the number the run begins with.
   */
  beginTurn(open: number): void;
  /** Admit a delegation and record it durably before it starts, or answer the limit that denies it. */
  admit(delegation: AdmittedDelegation, limits: RunLimits): Promise<Denial | null>;
  /** The limit that would deny one more delegation. */
  denial(limits: RunLimits): Denial | null;
  keepReply(key: AttemptKey, reply: Reply, headBefore: string | null): void;
  keepVerify(key: AttemptKey, verify: VerifyRun): void;
  /** @throws {InvariantError} `attempt-unknown` */
  recall(key: AttemptKey): Promise<AttemptRecord>;
  /** What the attempts on a task before `key` ended with, oldest first, for the next prompt. */
  earlier(key: AttemptKey): Promise<readonly EarlierAttempt[]>;
  /** Record a fix task durably before it is written; answers the one that was recorded for that attempt already. */
  intend(key: AttemptKey, fix: FixTask): Promise<FixTask>;
  /** The fix task as it was recorded; null for one this run did not make. */
  intended(fix: TaskId): FixTask | null;
  /** What the tree of a root task has spent. */
  spent(root: TaskId): SpentByTask;
}

/** One line of history for a prompt. */
export interface EarlierAttempt {
  readonly attempt: AttemptKey;
  readonly text: string;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves at an absolute time, rejects when aborted. */
  sleepUntil(time: number, signal: AbortSignal): Promise<void>;
}

/** Everything the effects need from the outside. */
export interface Ports {
  readonly executors: Readonly<Record<Role, Executor>>;
  readonly documents: Documents;
  readonly shell: Shell;
  readonly git?: Git;
  readonly clock: Clock;
  /** Kept in memory when not given. */
  readonly attempts?: Attempts;
  /** Absolute folders that executors are told; empty when not given. */
  readonly workspace?: string;
  readonly spec?: string;
}
