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
  fixes: ByTask<Pick<FixTask, "error" | "madeFor" | "late"> & { readonly madeAfter?: number }>;
  /** Changes of the plan that tasks have asked for and were granted. */
  changes: ByTask<number>;
  /** How many generations of such changes are above a task that one of them has added. */
  generations: ByTask<number>;
  /** What is known of the trees of planned tasks. */
  trees: ByTask<Tree>;
  /** Planned tasks that are left out, and why. */
  skipped: ByTask<string>;
  /** Planned tasks that wait for a person while the run goes on with others, each with its question. */
  parked: ByTask<Parked>;
  /** Where stuck reports of planned tasks were written to. */
  reports: ByTask<string>;
  /** Tasks that this run has accepted. */
  accepted: ByTask<true>;
  /** What has shown that those of them are done which it has worked on. */
  proofs: ByTask<Proof>;
  /** Content of the workspace that the Verify of accepted tasks has left, in the order of their passes; null: not known. */
  contents: ByTask<string | null>;
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
  /** Runs of commands that check something, by command. */
  checks: Record<string, CommandRuns>;
  /** Files that `[RED]` tasks have made since the last `[GREEN]` one: their checks count against no other task. */
  given: readonly string[];
  /** Checks that were red before the run and count for nothing in it. */
  excused: readonly Pick<RedCheck, "name" | "id">[];
  /** What the check of the project said last where it is run for several tasks; null before. */
  checked: ProjectChecked | null;
  /** How often checks have failed and then passed without a change, by name. */
  flaky: Record<string, number>;
  /** How the last start has ended; null while one is under way, and behind one that was killed. */
  ended: Ended | null;
  /** Whether an executor or a Verify command ran since a start has last told its end. */
  worked: boolean;
  /** Whether tasks are handed out, and not given to executors: whoever speaks without a terminal may be who has them. */
  outside: boolean;
  /** Whether the run was told to pause, and not to go on since. */
  paused: boolean;
  /** The text of the plan as the run knows it: what differs from it when it is found was done by others; null at first. */
  plan: KeptText | null;
  /** What was done for its pull request; not there before that begins. */
  pullRequest?: Book;
  turn: Turn;
}

/** What the check of the project has said, where it is run for several tasks. */
export interface ProjectChecked {
  /** What tasks are measured by that it is still to verify; null before its first run. */
  readonly before: Before | null;
  /** Tasks that it is to be run once more for, with those of the next phase. */
  readonly carried: readonly TaskId[];
  /** Checks that fail, and are left to the tasks that follow, by name. */
  readonly expected: readonly string[];
}

/**
 * To be raised whenever a record comes to something else than before, or a state has another form: snapshots that are
 * kept count no more then.
 */
export const stateVersion = 31;

/** What is known of the tree of a planned task. */
export interface Tree {
  readonly escalation?: Escalation;
  /** Directives of the repair operator, oldest first. */
  readonly repairs?: readonly Repair[];
  /** What the executor of one of its tasks has asked, until it is answered. */
  readonly question?: { readonly task: TaskId; readonly text: string; readonly covers?: readonly string[] };
  /** What a person has advised. */
  readonly guidance?: string;
  /** Acts a tool did not allow that a person was asked about. */
  readonly denied?: readonly string[];
  /** What the commands that check its tasks said before the work on each. */
  readonly befores?: ByTask<Before>;
  /** Tasks that were turned down by more than Verify and words: a green Verify alone does not close them. */
  readonly held?: ByTask<true>;
  /** Its planned task has passed: who opens it anew wants it done once more, whatever its Verify says. */
  readonly passed?: true;
  /** Name of the content of the workspace before its first attempt; null where that could not be told. */
  readonly content?: string | null;
  /** It was worked on apart from the workspace, and began there with that content. */
  readonly apart?: true;
  /** That is part of the workspace now. */
  readonly merged?: true;
  /** Why it is done once more though it was accepted. */
  readonly collision?: Collision;
  /** The last attempt in it of which that is known, and the name of the content that it left. */
  readonly left?: TreeLeft;
  /** Changes of what proves it that a person has accepted, by name of their bytes. */
  readonly allowed?: readonly string[];
  /** Checks that were red in it at any time. */
  readonly reds?: readonly RedCheck[];
}

/** What an attempt has left, by name of the content of the workspace. */
export interface TreeLeft {
  readonly key: AttemptKey;
  readonly content: string;
}

/** A question that a task waits with. */
interface Parked {
  /** That of the effect which it is the answer of. */
  readonly key: string;
  readonly reason: string;
  /** How it can be answered, a line each. */
  readonly hint: string;
  /** A later start takes the task up, which waits until something is chosen. */
  readonly again?: true;
}

/** Until when an executor cannot work, null: not before a person has seen to it; and when that was said. */
export interface Block {
  readonly until: number | null;
  /** Null where it is not known. */
  readonly said: number | null;
}

/** What a record by task, attempt or name has; undefined where it has nothing, whatever the key is called. */
export const at = <Value>(of: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(of, key) ? of[key] : undefined;

/** How an executor among all of a role is named, counted from 0. */
export const executorName = (role: Role, executor: number): string => `${role} ${executor}`;
