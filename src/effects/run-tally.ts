import { emptyLedger, type Ledger, type Spent, type SpentByTask, spentOn } from "../model/ledger.ts";
import type { RunLimits } from "../model/policy.ts";
import type { Usage } from "../model/reply.ts";
import { descendsFrom, type TaskId } from "../model/task-id.ts";

/** What a run has spent, counted as it happens. */
export interface RunTally {
  readonly ledger: Ledger;
  /** The first number given counts: that of the tasks the run began with. */
  open(tasks: number): void;
  /** One more delegation, in any role. */
  iterate(): void;
  spend(task: TaskId, change: (before: Spent) => Partial<Spent>): void;
  use(usage: Usage | undefined): void;
  /** Say once that a limit cannot count, when executors do not tell what they use. */
  warn(limits: RunLimits): void;
  /** The working time stands still until what this answers is called. */
  pause(): () => void;
  /** What the tree of a root task has spent. */
  spentIn(root: TaskId): SpentByTask;
}

/** @param elapsedMs Time since the run began, but for the time between its starts. */
export function createTally({
  open,
  seed,
  elapsedMs,
  onUnknownUsage,
}: {
  open: number | undefined;
  seed: Pick<Ledger, "iterations" | "tasks">;
  elapsedMs: () => number;
  onUnknownUsage: () => void;
}): RunTally {
  const tasks: SpentByTask = { ...seed.tasks };
  const spent = { iterations: seed.iterations, costUsd: 0, tokens: 0 };
  const unknown = { cost: false, tokens: false, said: false };
  let begunWith = open;
  let pausedMs = 0;
  let pauses = 0;
  let pausedAt = 0;
  const workingMs = (): number => elapsedMs() - pausedMs - (pauses > 0 ? elapsedMs() - pausedAt : 0);
  return {
    get ledger() {
      return { ...emptyLedger, ...spent, tasks, open: begunWith ?? 0, elapsedMs: workingMs() };
    },
    open: (count) => {
      begunWith ??= count;
    },
    iterate: () => {
      spent.iterations++;
    },
    spend: (task, change) => {
      const before = spentOn(tasks, task);
      tasks[task] = { ...before, ...change(before) };
    },
    use: ({ inputTokens, outputTokens, costUsd } = {}) => {
      spent.tokens += (inputTokens ?? 0) + (outputTokens ?? 0);
      spent.costUsd += costUsd ?? 0;
      unknown.cost ||= costUsd === undefined;
      unknown.tokens ||= inputTokens === undefined && outputTokens === undefined;
    },
    warn: ({ maxCost, maxTokens }) => {
      if (unknown.said || !((maxCost !== null && unknown.cost) || (maxTokens !== null && unknown.tokens))) return;
      unknown.said = true;
      onUnknownUsage();
    },
    pause: () => {
      if (pauses++ === 0) pausedAt = elapsedMs();
      return () => {
        if (--pauses === 0) pausedMs += elapsedMs() - pausedAt;
      };
    },
    spentIn: (root) => Object.fromEntries(treeOf(tasks, root).map((id) => [id, spentOn(tasks, id)])),
  };
}

/** A task and all fixes below it that have spent something. */
const treeOf = (tasks: SpentByTask, root: TaskId): TaskId[] =>
  Object.hasOwn(tasks, root) ? [root, ...fixesOf(tasks, root).flatMap((fix) => treeOf(tasks, fix))] : [];

/** Fixes by their id below a task; a state file of others may name any. */
const fixesOf = (tasks: SpentByTask, task: TaskId): TaskId[] =>
  spentOn(tasks, task).fixes.filter((fix) => descendsFrom(fix, task));
