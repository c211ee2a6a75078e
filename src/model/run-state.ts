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

/** State of a run as plain JSON, derived only from its records. Only `apply` changes it. */
export interface RunState {
  /** Guidance given while no task was running, kept until a task is chosen. */
  advice: { readonly text: string; readonly by?: Speaker | undefined } | null;
  /** Number of open tasks when the run began; may be unknown (null) until the first choice of a task. */
  open: number | null;
  /** Number of turns begun; each chooses a task or batch. */
  turns: number;
  /** Delegations. */
  iterations: number;
  costUsd: number;
  tokens: number;
  /** Working time at the last record that reports it, in milliseconds. */
  elapsedMs: number;
  /** Whether some usage was not reported. */
  unknownUsage: { cost: boolean; tokens: boolean };
  /** Costs of delegations, by purpose. */
  costs: SpentByPurpose;
  /** Amounts spent, by task. */
  tasks: SpentByTask;
  /** The task each fix task was made for, derived from `tasks`. */
  fixParents: ByTask<TaskId>;
  /** Superseded fix tasks and their replacements, derived from `tasks`. */
  superseded: ByTask<TaskId>;
  /** The failure that each fix task was made for, with the number of attempts before the fix; kept after the turn. */
  fixes: ByTask<Pick<FixTask, "error" | "madeFor" | "late"> & { readonly madeAfter?: number }>;
  /** Number of granted plan changes, by requesting task. */
  changes: ByTask<number>;
  /** Generation of each added task: one more than that of the task that requested it. */
  generations: ByTask<number>;
  /** State of each planned task's tree. */
  trees: ByTask<Tree>;
  /** Skipped planned tasks, with reasons. */
  skipped: ByTask<string>;
  /** Planned tasks that wait for a person while other tasks continue, each with its question. */
  parked: ByTask<Parked>;
  /** Paths of stuck reports, by planned task. */
  reports: ByTask<string>;
  /** Tasks that this run accepted. */
  accepted: ByTask<true>;
  /** Proofs of the accepted tasks that this run worked on. */
  proofs: ByTask<Proof>;
  /** Workspace content after the Verify of accepted tasks, in the order of acceptance; null if unknown. */
  contents: ByTask<string | null>;
  /** The current batch; empty while a single task is worked on. */
  batch: readonly TaskId[];
  /** Tasks that are never batched again. */
  sequential: ByTask<true>;
  /** Passed tasks whose log lines are still to be written, each with its commit. */
  owed: ByTask<string | null>;
  /** Passed tasks whose boxes and log lines may not be flushed yet, each with its commit. */
  unflushed: ByTask<string | null>;
  /** Unavailable executors, by role and index. */
  blocked: Record<string, Block>;
  /** The current environment problem, and the consecutive tasks that had it. */
  trouble: { what: string | null; tasks: readonly TaskId[] };
  /** Runs of check commands, by command. */
  checks: Record<string, CommandRuns>;
  /** Files that `[RED]` tasks made since the last `[GREEN]` task; other tasks ignore failing checks in these files. */
  given: readonly string[];
  /** Checks that were red before the run and are ignored. */
  excused: readonly Pick<RedCheck, "name" | "id">[];
  /** The last result of a project check for several tasks; null before the first such check. */
  checked: ProjectChecked | null;
  /** Number of times that a check failed and then passed without a change, by name. */
  flaky: Record<string, number>;
  /** How the last start ended; null while a start is running, and after a start was killed. */
  ended: Ended | null;
  /** Whether an executor or Verify command ran since a start last recorded its end. */
  worked: boolean;
  /** Whether workers outside of the run do the tasks: a sender without a terminal may then be such a worker. */
  outside: boolean;
  /** Whether the run is paused. */
  paused: boolean;
  /** The known text of the plan; differences in the file were made by someone else. Null at first. */
  plan: KeptText | null;
  /** State of the pull request; not given before the pull-request phase begins. */
  pullRequest?: Book;
  turn: Turn;
}

/** Result of a project check that runs for several tasks. */
export interface ProjectChecked {
  /** Baseline of the tasks that the check still has to verify; null before the check's first run. */
  readonly before: Before | null;
  /** Tasks to check again together with the tasks of the next phase. */
  readonly carried: readonly TaskId[];
  /** Failing checks that are left to later tasks, by name. */
  readonly expected: readonly string[];
}

/**
 * Version of the state. Raise it whenever the same records lead to a different state than before, or the state changes
 * its form: older snapshots are then ignored.
 */
export const stateVersion = 33;

/** State of a planned task's tree. */
export interface Tree {
  readonly escalation?: Escalation;
  /** Directives of the repair operator, oldest first. */
  readonly repairs?: readonly Repair[];
  /** Open question of an executor about a task of the tree. */
  readonly question?: { readonly task: TaskId; readonly text: string; readonly covers?: readonly string[] };
  /** A person's guidance. */
  readonly guidance?: string;
  /** Denied acts that a person was asked about. */
  readonly denied?: readonly string[];
  /** Results of Verify before the work, by task. */
  readonly befores?: ByTask<Before>;
  /** Tasks rejected by a layer other than Verify and the executor's claim: a green Verify alone does not close them. */
  readonly held?: ByTask<true>;
  /** Whether the planned task has passed. If a passed task is reopened, it is redone, whatever its Verify says. */
  readonly passed?: true;
  /** Name of the workspace content before the first attempt; null if unknown. */
  readonly content?: string | null;
  /** Whether the tree has a worktree of its own, which started from `content`. */
  readonly apart?: true;
  /** Whether that worktree is merged. */
  readonly merged?: true;
  /** Why the planned task is done again although it was accepted. */
  readonly collision?: Collision;
  /** The last attempt after which the workspace content is known, and the name of that content. */
  readonly left?: TreeLeft;
  /** Hashes of proof changes that a person accepted. */
  readonly allowed?: readonly string[];
  /** Checks that were ever red in the tree. */
  readonly reds?: readonly RedCheck[];
}

/** Workspace content after an attempt, by name. */
export interface TreeLeft {
  readonly key: AttemptKey;
  readonly content: string;
}

/** The question of a parked task. */
interface Parked {
  /** Key of the effect that asked the question. */
  readonly key: string;
  readonly reason: string;
  /** Possible answers, one line each. */
  readonly hint: string;
  /** Whether the task is to be resumed; it stays parked until the next choice of tasks. */
  readonly again?: true;
}

/** Unavailability of an executor: its end (null: until a person helps), and the time of the report. */
export interface Block {
  readonly until: number | null;
  /** Null if unknown. */
  readonly said: number | null;
}

/** Own entry of an object by key; undefined if there is none, also for keys such as `constructor`. */
export const at = <Value>(of: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(of, key) ? of[key] : undefined;

/** Name of an executor among all executors of its role; indexes start at 0. */
export const executorName = (role: Role, executor: number): string => `${role} ${executor}`;
