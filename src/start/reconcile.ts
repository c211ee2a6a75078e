import { tasksOf } from "../markdown/document/find-task.ts";
import type { PlanDocument } from "../markdown/document/plan-document.ts";
import { tickedIn } from "../markdown/tick-task.ts";
import { boxChange } from "../model/box-change.ts";
import type { Plan } from "../model/plan.ts";
import { attemptOf, taskOf } from "../model/reply.ts";
import type { RunState } from "../model/run-state.ts";
import { plannedTask, type TaskId } from "../model/task-id.ts";
import type { OpenPlan } from "../ports/documents.ts";
import { findEdits } from "../recover/find-edits.ts";
import { rootOf } from "../run/spent.ts";
import { claimsAt, tasksAccepted, tasksBegun } from "./claims.ts";
import { clearedIn } from "./cleared-in.ts";
import { isBroken, type Origin } from "./origin.ts";

/** The plan that a start finds. */
export interface FoundPlan {
  /** As the start before has left it; undefined when that is not known. */
  readonly before: PlanDocument | undefined;
  readonly found: OpenPlan;
  /** A name for a text, by which it is known again. */
  readonly hashOf: (text: string) => string;
}

/** How a start goes on from what the one before has left. */
export interface Reconciled {
  /** That start has told no end. */
  readonly killed: boolean;
  /** A report of the edits that executors may not make, which a person has to accept; null when there are none. */
  readonly change: string | null;
  /** Ticks that no verdict explains: whether a person or an executor has made them cannot be told, so it is asked. */
  readonly ticks: readonly TaskId[];
  /** The plan as it is known from here on, with these of the ticks; undefined where it is taken as it is found. */
  readonly base: (kept: readonly TaskId[]) => PlanDocument | undefined;
  /** Boxes are put back to that plan, but for those of these tasks; null where none is put back. */
  readonly standing: ReadonlySet<TaskId> | null;
  /** Tasks that are still to be ticked: a start has recorded that a person had mended them. */
  readonly unticked: readonly TaskId[];
  /** Tasks that are to be ticked again: they had passed, and the save of an executor has lost their ticks. */
  readonly lost: readonly TaskId[];
  /** Whether the run goes on in the middle of its last turn; else a task is chosen afresh. */
  readonly midTurn: boolean;
  /** Whether a claim is to be judged from the boxes as they stand. */
  readonly toJudge: boolean;
  /** Keys of questions that are asked again. */
  readonly questions: ReadonlySet<string>;
}

type StateOrigin = Pick<Origin, "state" | "ended" | "policy" | "answeredUnder">;

/** Nothing is known of a run that is begun. */
const fresh: Reconciled = {
  ...{ killed: false, change: null, ticks: [], base: () => undefined, standing: null, unticked: [], lost: [] },
  ...{ midTurn: false, toJudge: false, questions: new Set() },
};

/**
 * Settle what has become of the last turn of a run, and of its plan, since the start before: ticks that nobody accepted
 * are taken back, what was cleared is open again, other changes need a person, and the run goes on in mid-turn only
 * where everything it has recorded still holds.
 *
 * After a kill, no one can tell whether an executor or a person has cleared a box. If the task has passed in the turn in
 * which other executors were still at work, it counts as lost by one of their saves; else as cleared by a person: to
 * do a task again costs an attempt, to take it for done may be wrong.
 */
export function reconcile(origin: StateOrigin, plan: FoundPlan): Reconciled {
  const { state, ended, policy } = origin;
  if (state === null) return fresh;
  const { before, found, hashOf } = plan;
  const killed = ended === null;
  const own = tasksBegun(state);
  const isWatched = before !== undefined && (killed || hashOf(before.text) !== ended.planHash);
  const change = isWatched ? findEdits({ before, after: found, own }).reason : null;
  const asKnown = killed && change === null && (state.worked || areBoxesAsLeft(before, found.plan, state));
  const isAsTold = isBroken(origin) && ended?.planHash === hashOf(found.text);
  const questions = openQuestions(state, found.plan);
  const mayGoOn = asKnown || isAsTold || questions.size > 0;
  // Recorded answers lead to the same state only under the policy they were given under.
  const isSamePolicy = JSON.stringify(origin.answeredUnder) === JSON.stringify(policy);
  const midTurn = mayGoOn && !state.turn.left && isSamePolicy;
  const toJudge = midTurn && claimsAt(state, "claimed").length > 0;
  // Else people alone have changed boxes.
  const isSuspect = killed && (toJudge || state.worked);
  const cleared = before === undefined || !isSuspect ? [] : clearedIn(before, found.plan);
  const lost = state.worked && own.size > 0 ? cleared.filter((id) => tasksAccepted(state).has(id)) : [];
  const reopened = cleared.filter((id) => !lost.includes(id));
  const left = isSuspect ? before && reopened.reduce((plan, id) => tickedIn(plan, id, false), before) : undefined;
  const isUnjudged = left !== undefined && !toJudge;
  return {
    ...{ killed, change, midTurn, toJudge, questions },
    ticks: isUnjudged ? unexplained(left.plan, found.plan, new Set([...own, ...tasksAccepted(state)])) : [],
    // A task that is new to the plan is in it as it was found.
    base: (kept) =>
      left && kept.filter((id) => tasksOf(left, id).length > 0).reduce((to, id) => tickedIn(to, id, true), left),
    // Of an attempt that is not taken up again nobody asks what its tick was worth.
    standing: !isUnjudged ? null : midTurn ? own : new Set(),
    unticked: killed ? untickedIn(state, found.plan) : [],
    lost,
  };
}

/** Whether no box differs but of tasks that were accepted: a start that lets nobody work ticks no others. */
function areBoxesAsLeft(before: PlanDocument | undefined, found: Plan, state: RunState): boolean {
  const boxes = before === undefined ? null : boxChange(before.plan, found);
  const accepted = tasksAccepted(state);
  return boxes === null || (boxes.cleared.length === 0 && boxes.set.every((task) => accepted.has(task)));
}

/** Ticks that were not left, and that are not of tasks whose executors may tick them, or that were accepted. */
function unexplained(left: Plan, found: Plan, explained: ReadonlySet<TaskId>): TaskId[] {
  const ids = found.tasks.map(({ id }) => id);
  // Of two tasks with one id nobody can say which was ticked.
  const isOne = (id: TaskId): boolean => ids.indexOf(id) === ids.lastIndexOf(id);
  return (boxChange(left, found)?.set ?? []).filter((id) => !explained.has(id) && isOne(id));
}

const untickedIn = ({ turn }: RunState, { tasks }: Plan): TaskId[] =>
  turn.mended.filter((id) => tasks.find((task) => task.id === id)?.done === false);

/**
 * The questions about tasks that are still open, when those stopped the start before: they are asked again. Beside one
 * in a batch others have gone on, so that its tasks are chosen afresh.
 */
function openQuestions(state: RunState, { tasks }: Plan): ReadonlySet<string> {
  const { turn, batch } = state;
  if (!isStoppedByOne(state) || batch.length > 0) return new Set();
  const open = new Set(tasks.filter(({ done }) => !done).map(({ id }) => id));
  const isOpen = (key: string): boolean => {
    const task = plannedTask(taskOf(key));
    return open.has(task) && open.has(rootOf(state, task));
  };
  // A start that was killed behind the change it was granted then may have ticked the task by that.
  const isGranted = (key: string): boolean => Object.hasOwn(turn.changes, attemptOf(key));
  return new Set(Object.keys(turn.questions).filter((key) => isOpen(key) || isGranted(key)));
}

/** A start that was killed or refused something behind its question had no time to say so, or to hear the answer. */
function isStoppedByOne({ ended, turn }: RunState): boolean {
  const outcome = ended?.ending.outcome;
  if (outcome === undefined || outcome === "environment") return turn.asked !== null;
  return outcome === "gate" || outcome === "checkpoint";
}
