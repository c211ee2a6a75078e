import * as z from "zod";
import { MadeFor } from "./failure.ts";
import { advisoryRoles } from "./role.ts";
import { Rung } from "./rung.ts";

/** Amounts spent by one task. */
export const Spent = z.object({
  /** Number of delegations, which also numbers the attempts. Never decreases. */
  attempts: z.int().min(0),
  /** Delegations that repeated an earlier one without a fix in between. `taskIteration` is this plus 1. */
  retries: z.int().min(0),
  /** Ids of the task's fix tasks, in order of creation. */
  fixes: z.array(z.string()),
  /** Delegations that did not count as attempts: the executor was unavailable, or requested other tasks first. */
  waits: z.int().min(0).optional(),
  /** Number of reviews of the task's result. */
  reviews: z.int().min(0).optional(),
  /** Number of repair directives that were followed for the task. */
  repairs: z.int().min(0).optional(),
  /** Descriptions of the task's parts, if it was decomposed. */
  parts: z.array(z.string()).optional(),
  /** Number of attempts whose prompt was too long. */
  tooLong: z.int().min(0).optional(),
  /** The failure that a fix task was made for. */
  madeFor: MadeFor.optional(),
  /** The fix task that replaced this one. */
  supersededBy: z.string().optional(),
  /** Iterations and fix tasks from before the last progress of the task's tree; limits do not count them. */
  beforeProgress: z.object({ iterations: z.int().min(0), fixes: z.int().min(0) }).optional(),
});
export type Spent = z.infer<typeof Spent>;

/** Amounts spent by the tasks of a tree or run. Only grows. */
export const SpentByTask = z.record(z.string(), Spent);
export type SpentByTask = z.infer<typeof SpentByTask>;

const nothing: Spent = { attempts: 0, retries: 0, fixes: [] };

/** Amounts spent by a task; empty if it has no entry. */
export const spentOn = (spent: SpentByTask, task: string): Spent =>
  Object.hasOwn(spent, task) ? (spent[task] as Spent) : nothing;

/** Reset a task on a person's request: its fix tasks and attempt numbers remain. */
export function spentAfterReset({ parts: _parts, tooLong: _tooLong, beforeProgress, ...spent }: Spent): Spent {
  return {
    ...spent,
    ...{ retries: 0, repairs: 0, waits: spent.attempts },
    ...(beforeProgress !== undefined && { beforeProgress: { ...beforeProgress, iterations: 0 } }),
  };
}

/** Number of a task's last attempt, as shown to people. */
export const lastAttempt = (spent: SpentByTask, task: string): number => spentOn(spent, task).attempts;

/** Delegations of a task that count for its limits. */
export function attemptsOn(spent: SpentByTask, task: string): number {
  const { attempts, waits = 0 } = spentOn(spent, task);
  return attempts - waits;
}

/** Iterations of a task since its tree's last progress: the first delegation, and repeats without a fix in between. */
export function iterationsOn(spent: SpentByTask, task: string): number {
  const { retries, beforeProgress } = spentOn(spent, task);
  return retries + 1 - (beforeProgress?.iterations ?? 0);
}

/** Fix tasks of a task since its tree's last progress. */
export function fixesSinceProgress(spent: SpentByTask, task: string): number {
  const { fixes, beforeProgress } = spentOn(spent, task);
  return fixes.length - (beforeProgress?.fixes ?? 0);
}

/** Restart the counts for a tree's task limits, because fewer checks fail than ever before. */
export const afterNewMinimum = (spent: SpentByTask): SpentByTask =>
  Object.fromEntries(
    Object.entries(spent).map(([task, of]) => [
      task,
      { ...of, beforeProgress: { iterations: of.retries + 1, fixes: of.fixes.length } },
    ]),
  );

/** Fix tasks replaced by other fix tasks. */
export const supersededIn = (spent: SpentByTask): string[] =>
  Object.keys(spent).filter((task) => spentOn(spent, task).supersededBy !== undefined);

/** Number of reviews of a task's result. */
export const reviewsOn = (spent: SpentByTask, task: string): number => spentOn(spent, task).reviews ?? 0;

/** Number of fix tasks made for a task. */
export const fixesOn = (spent: SpentByTask, task: string): number => spentOn(spent, task).fixes.length;

/** Count one more followed directive. */
export const oneRepair = ({ repairs = 0 }: Spent): Partial<Spent> => ({ repairs: repairs + 1 });

/** Remaining repair directives in the tree of a planned task: its fixes and parts share its budget. */
export const repairsLeft = (tree: SpentByTask, budget: number): number =>
  // The budget may have been lowered between two starts.
  Math.max(0, budget - Object.values(tree).reduce((sum, { repairs = 0 }) => sum + repairs, 0));

/** Number of attempts in a tree whose prompt was too long. */
export const tooLongIn = (tree: SpentByTask): number =>
  Object.values(tree).reduce((sum, { tooLong = 0 }) => sum + tooLong, 0);

/** Count one more attempt whose prompt was too long. */
export const oneTooLong = ({ tooLong = 0 }: Spent): Partial<Spent> => ({ tooLong: tooLong + 1 });

/** Descriptions of a task's parts; empty if it was not decomposed. */
export const partsOf = (spent: SpentByTask, task: string): readonly string[] => spentOn(spent, task).parts ?? [];

/** Purpose of a delegation: a first attempt, an attempt on a rung, or work of a role that does no task. */
export const Purpose = z.enum(["first", ...Rung.options, ...advisoryRoles]);
export type Purpose = z.infer<typeof Purpose>;

/** Costs of delegations by purpose, if executors report them. */
export const SpentByPurpose = z.partialRecord(
  Purpose,
  z.object({ delegations: z.int().min(0), costUsd: z.number().min(0), tokens: z.int().min(0) }),
);
export type SpentByPurpose = z.infer<typeof SpentByPurpose>;

/** Amounts spent by a run, across all its starts. */
export interface Ledger {
  /** Delegations, repeats included. */
  readonly iterations: number;
  readonly tasks: SpentByTask;
  /** Number of open tasks when the run began. */
  readonly open: number;
  /** Working time in milliseconds. */
  readonly elapsedMs: number;
  readonly costUsd: number;
  readonly tokens: number;
}

export const emptyLedger: Ledger = { iterations: 0, tasks: {}, open: 0, elapsedMs: 0, costUsd: 0, tokens: 0 };

/** The task that a fix task repairs; undefined if the task is not a fix task. */
export const repairs = (spent: SpentByTask, fix: string): string | undefined =>
  Object.keys(spent).find((task) => spentOn(spent, task).fixes.includes(fix));
