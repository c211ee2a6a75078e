import type { FixTask } from "../model/fix-task.ts";
import {
  afterNewMinimum,
  anew,
  emptyLedger,
  type Ledger,
  type Spent,
  type SpentByTask,
  spentOn,
  supersededIn,
  withFix,
  withoutFix,
} from "../model/ledger.ts";
import type { RunLimits } from "../model/limits.ts";
import { plannedTask } from "../model/part-id.ts";
import type { Usage } from "../model/reply.ts";
import { descendsFrom, type TaskId } from "../model/task-id.ts";
import { lineageBy } from "../recover/check-limit.ts";
import { trackFixParents } from "./fix-parents.ts";

/** What a run has spent, as plain JSON. */
export interface KeptTally {
  readonly iterations: number;
  readonly costUsd: number;
  readonly tokens: number;
  readonly tasks: SpentByTask;
  /** Whether something was used of which nobody has told how much. */
  readonly unknown: { readonly cost: boolean; readonly tokens: boolean };
}

/** What a run has spent, counted as it happens. */
export interface RunTally {
  readonly ledger: Ledger;
  /** The first number given counts: that of the tasks the run began with. */
  open(tasks: number): void;
  /** One more delegation, in any role. */
  iterate(): void;
  spend(task: TaskId, change: (before: Spent) => Partial<Spent>): void;
  addFix(fix: FixTask): void;
  /** One that was never written. */
  dropFix(fix: Pick<FixTask, "id" | "fixOf" | "supersedes">): void;
  /** Fix tasks that others have taken the place of, and those. */
  superseded(): ReadonlyMap<TaskId, TaskId>;
  /** Fewer checks fail in the tree of a root task than ever before: its limits count from here. */
  startOver(root: TaskId): void;
  use(usage: Usage | undefined): void;
  /** Say once that a limit cannot count, when executors do not tell what they use. */
  warn(limits: RunLimits): void;
  /** The working time stands still until what this answers is called. */
  pause(): () => void;
  /** What the tree of a root task has spent. A fix whose task a person has ticked shares in the limits of that one. */
  spentIn(root: TaskId): SpentByTask;
  kept(): KeptTally;
  /** Go on from there. */
  take(kept: KeptTally): void;
  /** The planned task whose tree a task is in, as the fixes were made. */
  rootOf(task: TaskId): TaskId;
  /** Give the tree of a root task all again but its fix tasks and the numbers of its attempts. */
  forgive(root: TaskId): void;
}

/** @param elapsedMs Time since the run began, but for the time between its starts. */
export function createTally({
  open,
  seed,
  elapsedMs,
  onUnknownUsage,
}: {
  open: number | undefined;
  seed: Pick<Ledger, "iterations" | "tasks" | "costUsd" | "tokens">;
  elapsedMs: () => number;
  onUnknownUsage: () => void;
}): RunTally {
  let tasks: SpentByTask = { ...seed.tasks };
  let parents = trackFixParents(tasks);
  const rootOf = (task: TaskId): TaskId => lineageBy((fix) => parents.of(fix), plannedTask(task))[0];
  const superseded = new Map<TaskId, TaskId>();
  const spent = { iterations: seed.iterations, costUsd: seed.costUsd, tokens: seed.tokens };
  const unknown = { cost: false, tokens: false, said: false };
  let begunWith = open;
  let pausedMs = 0;
  let pauses = 0;
  let pausedAt = 0;
  const workingMs = (): number => elapsedMs() - pausedMs - (pauses > 0 ? elapsedMs() - pausedAt : 0);
  const spentIn = (root: TaskId): SpentByTask => {
    const tops = [...new Set([rootOf(root), root])].filter((top) => top === root || descendsFrom(root, top));
    return Object.fromEntries(tops.flatMap((top) => treeOf(tasks, top)).map((id) => [id, spentOn(tasks, id)]));
  };
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
      const after = { ...before, ...change(before) };
      tasks[task] = after;
      parents.note(task, before.fixes, after.fixes);
    },
    addFix: (fix) => {
      const { fixes } = spentOn(tasks, fix.fixOf);
      Object.assign(tasks, withFix(tasks, fix));
      parents.note(fix.fixOf, fixes, spentOn(tasks, fix.fixOf).fixes);
      if (fix.supersedes !== undefined) superseded.set(fix.supersedes, fix.id);
    },
    dropFix: ({ id, fixOf, supersedes }) => {
      const { fixes, ...others } = spentOn(tasks, fixOf);
      const rest = fixes.filter((fix) => fix !== id);
      const after = withoutFix(tasks, id, supersedes);
      delete tasks[id];
      Object.assign(tasks, after, { [fixOf]: { ...others, fixes: rest } });
      parents.note(fixOf, fixes, rest);
      if (supersedes !== undefined) superseded.delete(supersedes);
    },
    superseded: () => superseded,
    startOver: (root) => {
      Object.assign(tasks, afterNewMinimum(spentIn(root)));
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
    rootOf,
    forgive: (root) => {
      for (const id of treeOf(tasks, root)) tasks[id] = anew(spentOn(tasks, id));
    },
    kept: () => ({ ...spent, tasks: { ...tasks }, unknown: { cost: unknown.cost, tokens: unknown.tokens } }),
    take: (kept) => {
      Object.assign(spent, { iterations: kept.iterations, costUsd: kept.costUsd, tokens: kept.tokens });
      Object.assign(unknown, kept.unknown);
      tasks = { ...kept.tasks };
      parents = trackFixParents(tasks);
      for (const id of supersededIn(tasks)) superseded.set(id, tasks[id]?.supersededBy as TaskId);
    },
    spentIn,
  };
}

/** A task and all fixes and parts below it that have spent something. */
const treeOf = (tasks: SpentByTask, root: TaskId): TaskId[] =>
  Object.hasOwn(tasks, root)
    ? [root, ...partsBelow(tasks, root), ...fixesOf(tasks, root).flatMap((fix) => treeOf(tasks, fix))]
    : [];

/** Also those of a decomposition that was given up: their attempts are numbered on. */
const partsBelow = (tasks: SpentByTask, task: TaskId): TaskId[] =>
  Object.keys(tasks).filter((id) => plannedTask(id) === task && id !== task);

/** Fixes by their id below a task; a state file of others may name any. */
const fixesOf = (tasks: SpentByTask, task: TaskId): TaskId[] =>
  spentOn(tasks, task).fixes.filter((fix) => descendsFrom(fix, task));
