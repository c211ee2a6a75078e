import { z } from "zod";

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
  /** Directives of a repair operator that were followed for it: for a planned task, those for its fixes, too. */
  repairs: z.int().min(0).optional(),
  /** What its parts are to do, once it was decomposed. */
  parts: z.array(z.string()).optional(),
});
export type Spent = z.infer<typeof Spent>;

/** What the tasks of a tree, or of a run, have spent. Only ever grows. */
export const SpentByTask = z.record(z.string(), Spent);
export type SpentByTask = z.infer<typeof SpentByTask>;

const nothing: Spent = { attempts: 0, retries: 0, fixes: [] };

/** What a task has spent; nothing when it has no entry. */
export const spentOn = (spent: SpentByTask, task: string): Spent =>
  Object.hasOwn(spent, task) ? (spent[task] as Spent) : nothing;

/** What is left of what a task has spent when a person lets it begin anew: its fix tasks and numbers of attempts. */
export function anew({ parts: _, ...spent }: Spent): Spent {
  return { ...spent, retries: 0, repairs: 0, waits: spent.attempts };
}

/** Delegations of a task that were attempts at it. */
export function attemptsOn(spent: SpentByTask, task: string): number {
  const { attempts, waits = 0 } = spentOn(spent, task);
  return attempts - waits;
}

/** Reviews that the result of a task has had. */
export const reviewsOn = (spent: SpentByTask, task: string): number => spentOn(spent, task).reviews ?? 0;

/** Fix tasks that were made for a task. */
export const fixesOn = (spent: SpentByTask, task: string): number => spentOn(spent, task).fixes.length;

/** Directives that were followed for a task. */
export const repairsOn = (spent: SpentByTask, task: string): number => spentOn(spent, task).repairs ?? 0;

/** What the parts of a task are to do; none for a task that was not decomposed. */
export const partsOf = (spent: SpentByTask, task: string): readonly string[] => spentOn(spent, task).parts ?? [];

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
