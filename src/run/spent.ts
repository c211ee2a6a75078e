import { maxParts } from "../model/directive.ts";
import type { FixTask } from "../model/failure.ts";
import {
  afterNewMinimum,
  attemptsOn,
  repairs,
  type Spent,
  type SpentByTask,
  spentAfterReset,
  spentOn,
} from "../model/ledger.ts";
import { at, type RunState } from "../model/run-state.ts";
import { descendsFrom, lineageOf, partId, repairedBy, type TaskId } from "../model/task.ts";

type Spending = Pick<RunState, "tasks" | "fixParents" | "superseded">;
type SpendingTurn = Spending & Pick<RunState, "turn">;

/** The planned task whose tree a task is in, as the fixes were made, or as it was chosen for one. */
export function rootOf(state: Pick<RunState, "fixParents" | "turn">, task: TaskId): TaskId {
  const [top] = lineageIn(state, task);
  const chosen = chosenFor(state, top);
  return chosen === undefined || chosen === top ? top : lineageIn(state, chosen)[0];
}

/** The planned task that was chosen, and in whose tree a task is; where nothing was chosen, that of its tree. */
export function chosenRoot(state: Pick<RunState, "fixParents" | "turn">, task: TaskId): TaskId {
  const lineage = lineageIn(state, task);
  const chosen = lineage.findLast((each) => Object.hasOwn(state.turn.chosen, each));
  return chosen ?? chosenFor(state, lineage[0]) ?? lineage[0];
}

/** The planned task for which a fix was chosen that nothing is recorded of: it is gone up from by its id. */
const chosenFor = ({ turn }: Pick<RunState, "turn">, task: TaskId): TaskId | undefined =>
  Object.keys(turn.chosen).find((root) => onTheWay(turn.chosen[root]?.current ?? root, root).includes(task));

/** A task and those that it is gone up to from it, below the root. */
function onTheWay(current: TaskId, root: TaskId): TaskId[] {
  if (current === root) return [];
  const above = repairedBy(current);
  return [current, ...(above !== null && descendsFrom(above, root) ? onTheWay(above, root) : [])];
}

const lineageIn = ({ fixParents }: Pick<RunState, "fixParents">, task: TaskId): [TaskId, ...TaskId[]] =>
  lineageOf(task, (fix) => (Object.hasOwn(fixParents, fix) ? fixParents[fix] : undefined));

/** What the tree of a root task has spent. A fix whose task a person has ticked shares in the limits of that one. */
export function spentIn(state: Pick<RunState, "tasks" | "fixParents" | "turn">, root: TaskId): SpentByTask {
  const current = at(state.turn.chosen, root)?.current ?? root;
  const way = onTheWay(current, root);
  const tops = [...new Set([rootOf(state, root), root, ...way])].filter(
    (top) => top === root || descendsFrom(root, top) || way.includes(top),
  );
  const { tasks } = state;
  return Object.fromEntries(tops.flatMap((top) => treeOf(tasks, top)).map((id) => [id, spentOn(tasks, id)]));
}

/** What tasks have spent already, with what it says of their fixes. */
export function spendingOf(tasks: SpentByTask): Spending {
  const state: Spending = { tasks: { ...tasks }, fixParents: {}, superseded: {} };
  for (const [task, { fixes, supersededBy }] of Object.entries(tasks)) {
    if (fixes.length > 0) noteParents(state, task, [], fixes);
    if (supersededBy !== undefined) state.superseded[task] = supersededBy;
  }
  return state;
}

/** Take in that the fixes of a task have changed, behind the change. */
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
    // A state file of others may name one twice.
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

/** A fix task belongs to the task it repairs, and may take the place of another. */
export function addFix(state: Spending, { id, fixOf, madeFor, supersedes }: FixTask): void {
  if (supersedes !== undefined) {
    spend(state, supersedes, () => ({ supersededBy: id }));
    state.superseded[supersedes] = id;
  }
  spend(state, fixOf, ({ fixes }) => ({ fixes: [...fixes, id] }));
  spend(state, id, () => (madeFor === undefined ? {} : { madeFor }));
}

/** Forget a fix task that was never written: the one whose place it took is back. */
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

/** Fewer checks fail in the tree of a root task than ever before: its limits count from here. */
export function startOver(state: SpendingTurn, root: TaskId): void {
  Object.assign(state.tasks, afterNewMinimum(spentIn(state, root)));
}

/** Give the tree of a root task all again but its fix tasks and the numbers of its attempts. */
export function forgive({ tasks, fixes }: Spending & Pick<RunState, "fixes">, root: TaskId): void {
  for (const id of treeOf(tasks, root)) {
    tasks[id] = spentAfterReset(spentOn(tasks, id));
    const fix = at(fixes, id);
    if (fix === undefined) continue;
    // `madeAfter` counts attempts, and these start again from 0.
    const { madeAfter: _, ...reason } = fix;
    fixes[id] = reason;
  }
}

/**
 * Whether a task was not tried since its last fix task was made, and that fix was not left out. When it is the turn of the
 * task, the fix is done, so the task is to be tried again.
 */
export function isRepaired(
  { tasks, fixes, skipped }: Pick<RunState, "tasks" | "fixes" | "skipped">,
  task: TaskId,
): boolean {
  const last = spentOn(tasks, task).fixes.at(-1);
  if (last === undefined || Object.hasOwn(skipped, last)) return false;
  return at(fixes, last)?.madeAfter === attemptsOn(tasks, task);
}

/** A task and all fixes and parts below it that have spent something. */
const treeOf = (tasks: SpentByTask, root: TaskId): TaskId[] =>
  Object.hasOwn(tasks, root)
    ? [root, ...partsBelow(tasks, root), ...fixesOf(tasks, root).flatMap((fix) => treeOf(tasks, fix))]
    : [];

/** Also those of a decomposition that was given up: their attempts are numbered on. */
function partsBelow(tasks: SpentByTask, task: TaskId): TaskId[] {
  const below: TaskId[] = [];
  for (let number = 1; number <= maxParts; number += 1) {
    const part = partId(task, number);
    if (Object.hasOwn(tasks, part)) below.push(part, ...partsBelow(tasks, part));
  }
  return below;
}

/** Fixes by their id below a task; a state file of others may name any. */
const fixesOf = (tasks: SpentByTask, task: TaskId): TaskId[] =>
  spentOn(tasks, task).fixes.filter((fix) => descendsFrom(fix, task));
