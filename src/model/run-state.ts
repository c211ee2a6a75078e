import type { Before, CommandRuns, RedCheck } from "./check-run.ts";
import type { Repair } from "./directive.ts";
import type { Escalation } from "./escalation.ts";
import type { Proof } from "./evidence.ts";
import type { FixTask } from "./failure.ts";
import type { SpentByPurpose, SpentByTask } from "./ledger.ts";
import type { Speaker } from "./person-event.ts";
import type { Book } from "./pull-request.ts";
import type { Collision, Ended } from "./record.ts";
import type { AttemptKey } from "./reply.ts";
import type { Role } from "./role.ts";
import type { KeptText } from "./splice.ts";
import type { TaskId } from "./task.ts";
import type { ByTask, Turn } from "./turn.ts";

/** State of a run as plain JSON, derived only from the records. Only `apply` changes the state. */
export interface RunState {
  /** Guidance that came while no task was running; the next chosen task gets it. */
  advice: { readonly text: string; readonly by?: Speaker | undefined } | null;
  /** Number of open tasks when the run began; null before the first choice of a task, if unknown. */
  open: number | null;
  /** Number of begun turns. Each turn begins with the choice of a task or batch. */
  turns: number;
  /** Delegations. */
  iterations: number;
  costUsd: number;
  tokens: number;
  /** Working time in milliseconds, at the last record that reports it. */
  elapsedMs: number;
  /** Whether some executors did not report costs or tokens. */
  unknownUsage: { cost: boolean; tokens: boolean };
  costs: SpentByPurpose;
  /** Amounts spent, by task. */
  tasks: SpentByTask;
  /** Task that each fix task repairs; computed from `tasks`. */
  fixParents: ByTask<TaskId>;
  /** Replacement of each superseded fix task; computed from `tasks`. */
  superseded: ByTask<TaskId>;
  /** Failure that each fix task repairs, and the number of attempts before the fix task was written. */
  fixes: ByTask<Pick<FixTask, "error" | "madeFor" | "late"> & { readonly madeAfter?: number }>;
  /** Number of granted plan changes, by requesting task. */
  changes: ByTask<number>;
  /** Generation of each added task: one above that of its requesting task. */
  generations: ByTask<number>;
  trees: ByTask<Tree>;
  /** Reason for skipping, by planned task. */
  skipped: ByTask<string>;
  /** Open questions of planned tasks that wait for an answer. The run continues with other tasks. */
  parked: ByTask<Parked>;
  /** Path of the last stuck report, by planned task. */
  reports: ByTask<string>;
  accepted: ByTask<true>;
  /** Proofs of accepted tasks; tasks that this run did not work on have none. */
  proofs: ByTask<Proof>;
  /** Hashes of the workspace files after the Verify of accepted tasks, in the order of acceptance; null if unknown. */
  contents: ByTask<string | null>;
  /** Tasks of the current batch; empty while a single task runs. */
  batch: readonly TaskId[];
  /** Tasks that may no longer be in a batch. */
  sequential: ByTask<true>;
  /** Passed tasks without their log lines, each with its commit. */
  owed: ByTask<string | null>;
  /** Passed tasks whose boxes and log lines may not be on disk, each with its commit. */
  unflushed: ByTask<string | null>;
  /** Unavailable executors; keys are made by `executorName`. */
  blocked: Record<string, Block>;
  /** Current environment problem, and the consecutive tasks that had it. */
  trouble: { what: string | null; tasks: readonly TaskId[] };
  /** By command. */
  checks: Record<string, CommandRuns>;
  /**
   * Files that `[RED]` tasks made since the last `[GREEN]` task. Failing checks in these files do not count against
   * other tasks.
   */
  given: readonly string[];
  /** Checks that were red before the run and are ignored. */
  excused: readonly Pick<RedCheck, "name" | "id">[];
  /** Last result of a project check for several tasks; null before the first one. */
  checked: ProjectChecked | null;
  /** How often each check failed and then passed without a change, by name. */
  flaky: Record<string, number>;
  /** End of the last start; null while a start is running, and after a start was killed. */
  ended: Ended | null;
  /** Whether an executor or a Verify command ran after the last recorded end of a start. */
  worked: boolean;
  /** Whether workers outside of the run do the tasks. A sender without a terminal may then be one of these workers. */
  outside: boolean;
  paused: boolean;
  /**
   * Last known text of the plan; null before the first text. If the file differs from this text, someone else has
   * changed the file.
   */
  plan: KeptText | null;
  /** Not given before the pull-request phase. */
  pullRequest?: Book;
  turn: Turn;
}

/** Result of a project check for several tasks. */
export interface ProjectChecked {
  /** Baseline for tasks that the check has yet to verify; null before the first run of the check. */
  readonly before: Before | null;
  /** Tasks that are checked again with the next phase. */
  readonly carried: readonly TaskId[];
  /** Names of failing checks that later tasks have to repair. */
  readonly expected: readonly string[];
}

/**
 * Raise this version if the same records lead to another state, or the state gets another form. Snapshots with another
 * version are ignored.
 */
export const stateVersion = 34;

export interface Tree {
  readonly escalation?: Escalation;
  /** Followed directives of the repair operator, oldest first. */
  readonly repairs?: readonly Repair[];
  /** Open question of an executor. */
  readonly question?: { readonly task: TaskId; readonly text: string; readonly covers?: readonly string[] };
  readonly guidance?: string;
  /** Names of denied acts that a person was asked about. */
  readonly denied?: readonly string[];
  /** Results of Verify before the work, by task. */
  readonly befores?: ByTask<Before>;
  /**
   * Tasks that a check rejected, other than the checks of Verify and the final message. A green Verify does not close
   * these tasks.
   */
  readonly held?: ByTask<true>;
  /**
   * Set after the planned task passed. If a person then opens its box, the task is done again, even if its Verify is
   * green.
   */
  readonly passed?: true;
  /** Hash of the workspace files before the first attempt; null if unknown. */
  readonly content?: string | null;
  /** Set if the tree has a worktree of its own, which began with `content`. */
  readonly apart?: true;
  /** Set after the worktree of the tree was merged. */
  readonly merged?: true;
  /** Why the accepted planned task is done again. */
  readonly collision?: Collision;
  /** Last attempt with a known workspace content after it. */
  readonly left?: TreeLeft;
  /** Hashes of changes to the proof that a person accepted. */
  readonly allowed?: readonly string[];
  /** Checks that were red at any time in the tree. */
  readonly reds?: readonly RedCheck[];
}

/** Hash of the workspace files after an attempt. */
export interface TreeLeft {
  readonly key: AttemptKey;
  readonly content: string;
}

interface Parked {
  /** Key of the effect with the question. */
  readonly key: string;
  readonly reason: string;
  /** Possible answers, one line each. */
  readonly hint: string;
  /** Set if the task may resume. The task stays parked until the next choice of tasks. */
  readonly again?: true;
}

/**
 * An executor is unavailable until `until`, as reported at `said`. `until` and `said` are milliseconds since 1970. If
 * `until` is null, a person must help.
 */
export interface Block {
  readonly until: number | null;
  /** Null if unknown. */
  readonly said: number | null;
}

/** Read an own property of an object; undefined if the object has none, even for keys such as `constructor`. */
export const at = <Value>(of: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(of, key) ? of[key] : undefined;

/** Unique name of an executor. @param executor Index among all executors of the role, from 0. */
export const executorName = (role: Role, executor: number): string => `${role} ${executor}`;
