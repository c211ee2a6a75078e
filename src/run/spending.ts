import { maxParts } from "../model/directive.ts";
import type { FixTask } from "../model/failure.ts";
import {
  afterNewMinimum,
  attemptsOn,
  type Purpose,
  repairs,
  type Spent,
  type SpentByTask,
  spentAfterReset,
  spentOn,
} from "../model/ledger.ts";
import type { RunRecord } from "../model/record.ts";
import { attemptOf, type Usage } from "../model/reply.ts";
import { worksOnTasks } from "../model/role.ts";
import { at, type RunState } from "../model/run-state.ts";
import { descendsFrom, lineageOf, partId, repairedBy, type TaskId } from "../model/task.ts";

type Spending = Pick<RunState, "tasks" | "fixParents" | "superseded">;
type SpendingTurn = Spending & Pick<RunState, "turn">;

/**
 * Root of a task's tree, found through recorded fixes. For a fix without records, this is the root of the chosen
 * planned task.
 */
export function rootOf(state: Pick<RunState, "fixParents" | "turn">, task: TaskId): TaskId {
  const [top] = lineageIn(state, task);
  const chosen = chosenFor(state, top);
  return chosen === undefined || chosen === top ? top : lineageIn(state, chosen)[0];
}

/** The planned task whose choice led to a task; without such a choice, the root of the task's tree. */
export function chosenRoot(state: Pick<RunState, "fixParents" | "turn">, task: TaskId): TaskId {
  const lineage = lineageIn(state, task);
  const chosen = lineage.findLast((each) => Object.hasOwn(state.turn.chosen, each));
  return chosen ?? chosenFor(state, lineage[0]) ?? lineage[0];
}

/** The chosen planned task of a fix without records, found through the id of the fix. */
const chosenFor = ({ turn }: Pick<RunState, "turn">, task: TaskId): TaskId | undefined =>
  Object.keys(turn.chosen).find((root) => onTheWay(turn.chosen[root]?.current ?? root, root).includes(task));

function onTheWay(current: TaskId, root: TaskId): TaskId[] {
  if (current === root) return [];
  const above = repairedBy(current);
  return [current, ...(above !== null && descendsFrom(above, root) ? onTheWay(above, root) : [])];
}

const lineageIn = ({ fixParents }: Pick<RunState, "fixParents">, task: TaskId): [TaskId, ...TaskId[]] =>
  lineageOf(task, (fix) => (Object.hasOwn(fixParents, fix) ? fixParents[fix] : undefined));

/**
 * Amounts spent by the tree of a root task. If a person ticked the task that a fix repairs, the fix counts against the
 * limits of that task.
 */
export function spentIn(state: Pick<RunState, "tasks" | "fixParents" | "turn">, root: TaskId): SpentByTask {
  const current = at(state.turn.chosen, root)?.current ?? root;
  const way = onTheWay(current, root);
  const tops = [...new Set([rootOf(state, root), root, ...way])].filter(
    (top) => top === root || descendsFrom(root, top) || way.includes(top),
  );
  const { tasks } = state;
  return Object.fromEntries(tops.flatMap((top) => treeOf(tasks, top)).map((id) => [id, spentOn(tasks, id)]));
}

/** Spending state of an imported run, with the fixes that its numbers imply. */
export function spendingOf(tasks: SpentByTask): Spending {
  const state: Spending = { tasks: { ...tasks }, fixParents: {}, superseded: {} };
  for (const [task, { fixes, supersededBy }] of Object.entries(tasks)) {
    if (fixes.length > 0) noteParents(state, task, [], fixes);
    if (supersededBy !== undefined) state.superseded[task] = supersededBy;
  }
  return state;
}

function noteParents(
  { tasks, fixParents }: Pick<RunState, "tasks" | "fixParents">,
  task: TaskId,
  before: readonly TaskId[],
  after: readonly TaskId[],
): void {
  if (before === after) return;
  const look = (fix: TaskId): void => {
    const parent = repairs(tasks, fix);
    if (parent === undefined) delete fixParents[fix];
    else fixParents[fix] = parent;
  };
  for (const fix of before) if (!after.includes(fix)) look(fix);
  for (const fix of after) {
    // An imported state file may name a fix twice.
    if (Object.hasOwn(fixParents, fix) && fixParents[fix] !== task) look(fix);
    else fixParents[fix] = task;
  }
}

export function spend(state: Spending, task: TaskId, change: (before: Spent) => Partial<Spent>): void {
  const before = spentOn(state.tasks, task);
  const after = { ...before, ...change(before) };
  state.tasks[task] = after;
  noteParents(state, task, before.fixes, after.fixes);
}

export function addFix(state: Spending, { id, fixOf, madeFor, supersedes }: FixTask): void {
  if (supersedes !== undefined) {
    spend(state, supersedes, () => ({ supersededBy: id }));
    state.superseded[supersedes] = id;
  }
  spend(state, fixOf, ({ fixes }) => ({ fixes: [...fixes, id] }));
  spend(state, id, () => (madeFor === undefined ? {} : { madeFor }));
}

/** Remove a fix task that was never written, and restore the fix it superseded. */
export function dropFix(
  state: Spending,
  { id, fixOf, supersedes }: Pick<FixTask, "id" | "fixOf" | "supersedes">,
): void {
  delete state.tasks[id];
  if (supersedes !== undefined) {
    const { supersededBy: _, ...restored } = spentOn(state.tasks, supersedes);
    state.tasks[supersedes] = restored;
    delete state.superseded[supersedes];
  }
  spend(state, fixOf, ({ fixes }) => ({ fixes: fixes.filter((fix) => fix !== id) }));
}

/** Restart the limits of a tree when fewer checks fail in it than ever before. */
export function startOver(state: SpendingTurn, root: TaskId): void {
  Object.assign(state.tasks, afterNewMinimum(spentIn(state, root)));
}

/** Reset the amounts spent by the tree of a root task, except its fix tasks and attempt numbers. */
export function forgive({ tasks, fixes }: Spending & Pick<RunState, "fixes">, root: TaskId): void {
  for (const id of treeOf(tasks, root)) {
    tasks[id] = spentAfterReset(spentOn(tasks, id));
    const fix = at(fixes, id);
    if (fix === undefined) continue;
    // `madeAfter` counts attempts, which restart from 0.
    const { madeAfter: _, ...reason } = fix;
    fixes[id] = reason;
  }
}

/**
 * Whether a task was not attempted since its last fix task was made, and that fix task was not skipped. Such a task
 * must be attempted again after its fix task is done.
 */
export function isRepaired(
  { tasks, fixes, skipped }: Pick<RunState, "tasks" | "fixes" | "skipped">,
  task: TaskId,
): boolean {
  const last = spentOn(tasks, task).fixes.at(-1);
  if (last === undefined || Object.hasOwn(skipped, last)) return false;
  return at(fixes, last)?.madeAfter === attemptsOn(tasks, task);
}

const treeOf = (tasks: SpentByTask, root: TaskId): TaskId[] =>
  Object.hasOwn(tasks, root)
    ? [root, ...partsBelow(tasks, root), ...fixesOf(tasks, root).flatMap((fix) => treeOf(tasks, fix))]
    : [];

/** Parts below a task, including those of an abandoned decomposition, since attempt numbers continue. */
function partsBelow(tasks: SpentByTask, task: TaskId): TaskId[] {
  const below: TaskId[] = [];
  for (let number = 1; number <= maxParts; number += 1) {
    const part = partId(task, number);
    if (Object.hasOwn(tasks, part)) below.push(part, ...partsBelow(tasks, part));
  }
  return below;
}

/** Fix tasks below a task, recognized by their ids: an imported state file may list any task as a fix. */
const fixesOf = (tasks: SpentByTask, task: TaskId): TaskId[] =>
  spentOn(tasks, task).fixes.filter((fix) => descendsFrom(fix, task));

type RecordOf<Type extends RunRecord["type"]> = Extract<RunRecord, { type: Type }>;

export function countDelegation(state: RunState, { key, role, rung }: RecordOf<"delegated">): void {
  const purpose: Purpose = worksOnTasks(role) ? (rung ?? "first") : role;
  state.turn.purposes[key] = purpose;
  charge(state, purpose, { costUsd: 0, inputTokens: 0 }, 1);
}

export function countUse(state: RunState, { effect, key, reply, review, usage }: RecordOf<"answered">): void {
  const purpose = at(state.turn.purposes, attemptOf(key)) ?? "first";
  if (reply !== undefined) use(state, purpose, reply.usage);
  if (review !== undefined) use(state, "reviewer", review.usage);
  // Usage without a reply: replies of the repair operator and of stopped racers are not kept.
  if (usage !== undefined) use(state, effect === "delegate" ? purpose : "operator", usage);
}

function use(state: RunState, purpose: Purpose, usage: Usage = {}): void {
  const { inputTokens, outputTokens, costUsd } = usage;
  state.tokens += (inputTokens ?? 0) + (outputTokens ?? 0);
  state.costUsd += costUsd ?? 0;
  state.unknownUsage.cost ||= costUsd === undefined;
  state.unknownUsage.tokens ||= inputTokens === undefined && outputTokens === undefined;
  charge(state, purpose, usage, 0);
}

function charge(
  { costs }: RunState,
  purpose: Purpose,
  { inputTokens = 0, outputTokens = 0, costUsd = 0 }: Usage,
  delegations: number,
): void {
  const before = costs[purpose] ?? { delegations: 0, costUsd: 0, tokens: 0 };
  costs[purpose] = {
    delegations: before.delegations + delegations,
    costUsd: before.costUsd + costUsd,
    tokens: before.tokens + inputTokens + outputTokens,
  };
}
