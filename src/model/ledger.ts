import * as z from "zod";
import { MadeFor } from "./failure.ts";
import { advisoryRoles } from "./role.ts";
import { Rung } from "./rung.ts";

/** Amounts that one task has used of its limits. */
export const Spent = z.object({
  attempts: z.int().min(0),
  /**
   * Number of delegations that repeated an earlier delegation without a fix task in between. In the state file,
   * `taskIteration` is this number plus 1.
   */
  retries: z.int().min(0),
  fixes: z.array(z.string()),
  /**
   * Number of delegations that do not count as attempts: the executor was unavailable, or requested other tasks first.
   */
  waits: z.int().min(0).optional(),
  reviews: z.int().min(0).optional(),
  repairs: z.int().min(0).optional(),
  parts: z.array(z.string()).optional(),
  /** Number of attempts with a prompt that was too long. */
  tooLong: z.int().min(0).optional(),
  madeFor: MadeFor.optional(),
  supersededBy: z.string().optional(),
  /**
   * Number of iterations and fix tasks before the last progress of the task's tree. Limits do not count these
   * iterations and fix tasks.
   */
  beforeProgress: z.object({ iterations: z.int().min(0), fixes: z.int().min(0) }).optional(),
});
export type Spent = z.infer<typeof Spent>;

export const SpentByTask = z.record(z.string(), Spent);
export type SpentByTask = z.infer<typeof SpentByTask>;

const nothing: Spent = { attempts: 0, retries: 0, fixes: [] };

export const spentOn = (spent: SpentByTask, task: string): Spent =>
  Object.hasOwn(spent, task) ? (spent[task] as Spent) : nothing;

/** Reset the counts of a task. The fix tasks and attempt numbers of the task stay. */
export function spentAfterReset({ parts: _parts, tooLong: _tooLong, beforeProgress, ...spent }: Spent): Spent {
  return {
    ...spent,
    ...{ retries: 0, repairs: 0, waits: spent.attempts },
    ...(beforeProgress !== undefined && { beforeProgress: { ...beforeProgress, iterations: 0 } }),
  };
}

export const lastAttempt = (spent: SpentByTask, task: string): number => spentOn(spent, task).attempts;

/** Number of delegations of a task without waits; limits use this number. */
export function attemptsOn(spent: SpentByTask, task: string): number {
  const { attempts, waits = 0 } = spentOn(spent, task);
  return attempts - waits;
}

/**
 * Iterations of a task since the last progress of its tree: the first delegation, and delegations repeated without a
 * fix task in between.
 */
export function iterationsOn(spent: SpentByTask, task: string): number {
  const { retries, beforeProgress } = spentOn(spent, task);
  return retries + 1 - (beforeProgress?.iterations ?? 0);
}

export function fixesSinceProgress(spent: SpentByTask, task: string): number {
  const { fixes, beforeProgress } = spentOn(spent, task);
  return fixes.length - (beforeProgress?.fixes ?? 0);
}

/** Start the counts for task limits again, since fewer checks fail than ever before. */
export const afterNewMinimum = (spent: SpentByTask): SpentByTask =>
  Object.fromEntries(
    Object.entries(spent).map(([task, of]) => [
      task,
      { ...of, beforeProgress: { iterations: of.retries + 1, fixes: of.fixes.length } },
    ]),
  );

export const supersededIn = (spent: SpentByTask): string[] =>
  Object.keys(spent).filter((task) => spentOn(spent, task).supersededBy !== undefined);

export const reviewsOn = (spent: SpentByTask, task: string): number => spentOn(spent, task).reviews ?? 0;

export const fixesOn = (spent: SpentByTask, task: string): number => spentOn(spent, task).fixes.length;

export const oneRepair = ({ repairs = 0 }: Spent): Partial<Spent> => ({ repairs: repairs + 1 });

/** Directives that the repair budget of a planned task still allows; its fix tasks and parts share the budget. */
export const repairsLeft = (tree: SpentByTask, budget: number): number =>
  // A lower budget may have been set since the last directive.
  Math.max(0, budget - Object.values(tree).reduce((sum, { repairs = 0 }) => sum + repairs, 0));

export const tooLongIn = (tree: SpentByTask): number =>
  Object.values(tree).reduce((sum, { tooLong = 0 }) => sum + tooLong, 0);

export const oneTooLong = ({ tooLong = 0 }: Spent): Partial<Spent> => ({ tooLong: tooLong + 1 });

export const partsOf = (spent: SpentByTask, task: string): readonly string[] => spentOn(spent, task).parts ?? [];

/** Purpose of a delegation: a first attempt, an attempt on a rung, or work of a role that does no tasks. */
export const Purpose = z.enum(["first", ...Rung.options, ...advisoryRoles]);
export type Purpose = z.infer<typeof Purpose>;

/** Costs by purpose, as far as executors report costs. */
export const SpentByPurpose = z.partialRecord(
  Purpose,
  z.object({ delegations: z.int().min(0), costUsd: z.number().min(0), tokens: z.int().min(0) }),
);
export type SpentByPurpose = z.infer<typeof SpentByPurpose>;

/** Amounts that a run has used of its limits, in all its starts. */
export interface Ledger {
  /** Number of delegations, including repeats. */
  readonly iterations: number;
  readonly tasks: SpentByTask;
  /** Number of open tasks when the run began. */
  readonly open: number;
  /** Milliseconds in which the run was working. */
  readonly elapsedMs: number;
  readonly costUsd: number;
  readonly tokens: number;
}

export const emptyLedger: Ledger = { iterations: 0, tasks: {}, open: 0, elapsedMs: 0, costUsd: 0, tokens: 0 };

/** Task that a fix task repairs; undefined for other tasks. */
export const repairs = (spent: SpentByTask, fix: string): string | undefined =>
  Object.keys(spent).find((task) => spentOn(spent, task).fixes.includes(fix));
