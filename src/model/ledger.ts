import * as z from "zod";
import { MadeFor } from "./failure.ts";
import { advisoryRoles } from "./role.ts";
import { Rung } from "./rung.ts";

/** What one task has spent. */
export const Spent = z.object({
  /** Delegations; numbers the attempts and never falls. */
  attempts: z.int().min(0),
  /** Delegations that repeated an earlier one without a fix in between. `taskIteration` is this plus 1. */
  retries: z.int().min(0),
  /** Ids of the fix tasks made for it, in the order in which they were made. */
  fixes: z.array(z.string()),
  /** Delegations that spent no attempt: the executor could not work, or asked for other tasks first. */
  waits: z.int().min(0).optional(),
  /** Reviews of its result. */
  reviews: z.int().min(0).optional(),
  /** Directives of a repair operator that were followed for it. */
  repairs: z.int().min(0).optional(),
  /** What its parts are to do, once it was decomposed. */
  parts: z.array(z.string()).optional(),
  /** Attempts whose prompt was too long for the model. */
  tooLong: z.int().min(0).optional(),
  /** What a fix task was made for. */
  madeFor: MadeFor.optional(),
  /** The fix task that took its place, since this one did not help. */
  supersededBy: z.string().optional(),
  /** What of it was spent before its tree made progress: iterations and fix tasks, which limits count anew from there. */
  beforeProgress: z.object({ iterations: z.int().min(0), fixes: z.int().min(0) }).optional(),
});
export type Spent = z.infer<typeof Spent>;

/** What the tasks of a tree, or of a run, have spent. Only ever grows. */
export const SpentByTask = z.record(z.string(), Spent);
export type SpentByTask = z.infer<typeof SpentByTask>;

const nothing: Spent = { attempts: 0, retries: 0, fixes: [] };

/** What a task has spent; nothing when it has no entry. */
export const spentOn = (spent: SpentByTask, task: string): Spent =>
  Object.hasOwn(spent, task) ? (spent[task] as Spent) : nothing;

/** What is left of what a task has spent when a person resets it: its fix tasks and numbers of attempts. */
export function spentAfterReset({ parts: _parts, tooLong: _tooLong, beforeProgress, ...spent }: Spent): Spent {
  return {
    ...spent,
    ...{ retries: 0, repairs: 0, waits: spent.attempts },
    ...(beforeProgress !== undefined && { beforeProgress: { ...beforeProgress, iterations: 0 } }),
  };
}

/** Delegations of a task that were attempts at it. */
export function attemptsOn(spent: SpentByTask, task: string): number {
  const { attempts, waits = 0 } = spentOn(spent, task);
  return attempts - waits;
}

/** Iterations of a task since its tree last made progress: its delegations that were plain or rejected. */
export function iterationsOn(spent: SpentByTask, task: string): number {
  const { retries, beforeProgress } = spentOn(spent, task);
  return retries + 1 - (beforeProgress?.iterations ?? 0);
}

/** Fix tasks that were made for a task since its tree last made progress. */
export function fixesSinceProgress(spent: SpentByTask, task: string): number {
  const { fixes, beforeProgress } = spentOn(spent, task);
  return fixes.length - (beforeProgress?.fixes ?? 0);
}

/** What a tree has spent when fewer checks fail than ever before: limits on one task count from here. */
export const afterNewMinimum = (spent: SpentByTask): SpentByTask =>
  Object.fromEntries(
    Object.entries(spent).map(([task, of]) => [
      task,
      { ...of, beforeProgress: { iterations: of.retries + 1, fixes: of.fixes.length } },
    ]),
  );

/** Fix tasks that others have taken the place of. */
export const supersededIn = (spent: SpentByTask): string[] =>
  Object.keys(spent).filter((task) => spentOn(spent, task).supersededBy !== undefined);

/** Reviews that the result of a task has had. */
export const reviewsOn = (spent: SpentByTask, task: string): number => spentOn(spent, task).reviews ?? 0;

/** Fix tasks that were made for a task. */
export const fixesOn = (spent: SpentByTask, task: string): number => spentOn(spent, task).fixes.length;

/** One more directive that is followed for a task. */
export const oneRepair = ({ repairs = 0 }: Spent): Partial<Spent> => ({ repairs: repairs + 1 });

/**
 * Directives of the repair operator that may still be followed in the tree of a planned task: its fixes, and the parts
 * of a task, share one budget with it.
 */
export const repairsLeft = (tree: SpentByTask, budget: number): number =>
  // A budget may be lowered between two starts.
  Math.max(0, budget - Object.values(tree).reduce((sum, { repairs = 0 }) => sum + repairs, 0));

/** Attempts in a tree whose prompts were too long for the model. */
export const tooLongIn = (tree: SpentByTask): number =>
  Object.values(tree).reduce((sum, { tooLong = 0 }) => sum + tooLong, 0);

/** One more of them. */
export const oneTooLong = ({ tooLong = 0 }: Spent): Partial<Spent> => ({ tooLong: tooLong + 1 });

/** What the parts of a task are to do; none for a task that was not decomposed. */
export const partsOf = (spent: SpentByTask, task: string): readonly string[] => spentOn(spent, task).parts ?? [];

/**
 * What a delegation is made for: a first attempt, an attempt that a rung of the ladder leads to, or the work of a role
 * that does no task.
 */
export const Purpose = z.enum(["first", ...Rung.options, ...advisoryRoles]);
export type Purpose = z.infer<typeof Purpose>;

/** What delegations have cost, as far as executors tell, by what they were made for. */
export const SpentByPurpose = z.partialRecord(
  Purpose,
  z.object({ delegations: z.int().min(0), costUsd: z.number().min(0), tokens: z.int().min(0) }),
);
export type SpentByPurpose = z.infer<typeof SpentByPurpose>;

/** What a run has spent, across all its starts. */
export interface Ledger {
  /** Delegations, repeated ones included. */
  readonly iterations: number;
  readonly tasks: SpentByTask;
  /** Tasks that were open when the run began. */
  readonly open: number;
  /** Working time in milliseconds. */
  readonly elapsedMs: number;
  readonly costUsd: number;
  readonly tokens: number;
}

export const emptyLedger: Ledger = { iterations: 0, tasks: {}, open: 0, elapsedMs: 0, costUsd: 0, tokens: 0 };

/** The task for which a fix task was made; undefined for a task that is nobody's fix. */
export const repairs = (spent: SpentByTask, fix: string): string | undefined =>
  Object.keys(spent).find((task) => spentOn(spent, task).fixes.includes(fix));
