import type { Plan } from "../model/plan.ts";
import { boxChange, doneAsKnown, type PlanText } from "../model/plan-parts.ts";
import type { RunRecord } from "../model/record.ts";
import { type AttemptKey, attemptOf, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { plannedTask, type TaskId } from "../model/task.ts";
import type { ClaimStage } from "../model/turn.ts";
import { type EditedPlan, findEdits } from "../recover/judge-checkmarks.ts";
import { interruptedWrites, isWrittenIn, pendingWrites } from "./pending-writes.ts";
import { isBroken, type StartPoint } from "./resolve-start.ts";
import { rootOf } from "./spending.ts";

type Tasks = Pick<Plan, "tasks">;

export interface FoundPlan {
  /** Last plan that the run has recorded; null before the first reading. */
  readonly known: PlanText | null;
  readonly found: PlanText;
  readonly hashOf: (text: string) => string;
}

export interface Resumed {
  /** Report of forbidden edits that a person must accept; null if there are none. */
  readonly change: string | null;
  /** Ticks without a verdict, set by a person or an executor. A person is asked about them. */
  readonly ticks: readonly TaskId[];
  /** The new state of each box of the found plan if the ticks in `kept` stay; null if no box changes. */
  readonly boxes: (kept: readonly TaskId[]) => readonly boolean[] | null;
  /** Tasks whose boxes stay while all other boxes are reset; null if no box is reset. */
  readonly standing: ReadonlySet<TaskId> | null;
  /** Tasks to tick now: an earlier start recorded that a person fixed them. */
  readonly unticked: readonly TaskId[];
  /** Tasks to tick again: they had passed, but a save by an executor lost their ticks. */
  readonly lost: readonly TaskId[];
  /** Whether to keep the known plan because handed-out work is still in progress. */
  readonly isAtWork: boolean;
  /** Whether the run resumes inside its last turn, without a new choice of a task. */
  readonly midTurn: boolean;
  /** Whether to judge a claim by the boxes of the found plan. */
  readonly toJudge: boolean;
  readonly questions: ReadonlySet<string>;
  /**
   * Records that abandon the last turn, to append together.
   *
   * @param known The plan to continue with.
   */
  readonly leave: (known: Tasks) => readonly RunRecord[];
}

/**
 * Resume a run from its state and the plan as found. Unaccepted ticks are cleared, cleared boxes reopen their tasks,
 * other changes need a person. The last turn continues only if all its records are still valid.
 *
 * After a kill, no one can tell whether an executor or a person cleared a box. If the task passed in a turn where other
 * executors were still at work, the box counts as lost through a save by such an executor. Otherwise the box counts as
 * cleared by a person: a needlessly repeated task costs an attempt, but a task wrongly treated as done is worse.
 */
export function resume(
  origin: Pick<StartPoint, "state" | "ended" | "policy" | "answeredUnder">,
  { known, found, hashOf }: FoundPlan,
): Resumed {
  const { state, ended } = origin;
  if (state === null) return fresh;
  // Handed-out work continues: its report is judged with all changes since the handout.
  if (isHandedOut(state) && !state.turn.left && isSamePolicy(origin)) {
    return { ...fresh, midTurn: true, isAtWork: true };
  }
  const killed = ended === null;
  const own = tasksBegun(state);
  const writing = interruptedWrites(state, found.plan);
  const accepted = new Set([...tasksAccepted(state), ...writing.ticked]);
  const cleared = known === null ? [] : clearedIn(known.plan, found.plan);
  const lost = state.worked && own.size > 0 ? cleared.filter((id) => accepted.has(id)) : [];
  const reopened = cleared.filter((id) => !lost.includes(id));
  const isWatched = known !== null && (killed || hashOf(known.text) !== ended.planHash);
  const change = isWatched ? changeOf(known, found, { own, reopened, added: writing.added }) : null;
  const boxes = known && boxChange(known.plan, found.plan);
  // Whether the boxes are unchanged since the previous start. A start without executors ticks only accepted tasks.
  const areAsLeft = boxes === null || (boxes.cleared.length === 0 && boxes.set.every((id) => accepted.has(id)));
  const asKnown = killed && change === null && (state.worked || areAsLeft);
  const isAsTold = isBroken(origin) && ended?.planHash === hashOf(found.text);
  const questions = openQuestions(state, found.plan);
  const midTurn = (asKnown || isAsTold || questions.size > 0) && !state.turn.left && isSamePolicy(origin);
  const toJudge = midTurn && claimsAt(state, "claimed").length > 0;
  // Whether executors may have changed boxes; otherwise only people may have changed them.
  const isSuspect = killed && known !== null && (toJudge || state.worked);
  const isUnjudged = isSuspect && !toJudge;
  return {
    ...{ isAtWork: false, change, midTurn, toJudge, questions, lost: isSuspect ? lost : [] },
    ticks: isUnjudged ? unexplained(boxes?.set ?? [], found.plan, new Set([...own, ...accepted])) : [],
    boxes: (kept) => {
      if (!isSuspect) return null;
      const done = doneAsKnown(known.plan, found.plan);
      return found.plan.tasks.map(({ id }, index) => {
        if (kept.includes(id) || writing.ticked.has(id)) return true;
        return done[index] === true && !reopened.includes(id);
      });
    },
    // The tick of an abandoned attempt is not judged.
    standing: !isUnjudged ? null : midTurn ? own : new Set(),
    unticked: killed ? untickedIn(state, found.plan) : [],
    leave: (plan) => leaveTurn(origin, state, { found: found.plan, known: plan, planHash: hashOf(found.text) }),
  };
}

const isHandedOut = ({ turn }: Pick<RunState, "turn">): boolean => Object.keys(turn.handedOut).length > 0;

/** Whether the policy is unchanged: only then do recorded answers lead to the same state. */
const isSamePolicy = ({ answeredUnder, policy }: Pick<StartPoint, "answeredUnder" | "policy">): boolean =>
  JSON.stringify(answeredUnder) === JSON.stringify(policy);

const fresh: Resumed = {
  ...{ isAtWork: false, change: null, ticks: [], boxes: () => null, standing: null, unticked: [], lost: [] },
  ...{ midTurn: false, toJudge: false, questions: new Set(), leave: () => [] },
};

/**
 * Report of forbidden edits; null if there are none. A reopened task counts as open, so its whole text must be
 * unchanged.
 */
function changeOf(
  known: PlanText,
  found: PlanText,
  { reopened, ...given }: { readonly reopened: readonly TaskId[] } & Pick<EditedPlan, "own" | "added">,
): string | null {
  const tasks = known.plan.tasks.map((task) => (reopened.includes(task.id) ? { ...task, done: false } : task));
  return findEdits({ before: { text: known.text, plan: { tasks } }, after: found, ...given }).reason;
}

const claimsAt = ({ turn }: Pick<RunState, "turn">, ...stages: readonly ClaimStage[]): AttemptKey[] =>
  Object.entries(turn.claims).flatMap(([key, stage]) => (stages.includes(stage) ? [key] : []));

/** Tasks whose executors had started and whose claims were unjudged when the previous start ended. */
const tasksBegun = (state: Pick<RunState, "turn">): ReadonlySet<TaskId> =>
  new Set(claimsAt(state, "begun", "claimed", "refunded").map((key) => plannedTask(taskOf(key))));

const tasksAccepted = (state: Pick<RunState, "turn">): TaskId[] => claimsAt(state, "accepted", "passed").map(taskOf);

/** Boxes by task id. Duplicate ids are omitted, since they are ambiguous. */
function singleBoxes({ tasks }: Tasks): ReadonlyMap<TaskId, boolean> {
  const boxes = new Map<TaskId, boolean>();
  const shared = new Set<TaskId>();
  for (const { id, done } of tasks) {
    if (boxes.has(id)) shared.add(id);
    boxes.set(id, done);
  }
  for (const id of shared) boxes.delete(id);
  return boxes;
}

function clearedIn(known: Tasks, found: Tasks): TaskId[] {
  if (known.tasks === found.tasks) return [];
  const is = singleBoxes(found);
  return [...singleBoxes(known)].flatMap(([id, done]) => (done && is.get(id) === false ? [id] : []));
}

/**
 * Open boxes that a power cut may have cleared: the passes of their tasks are recorded, but not as flushed.
 *
 * @param found The current plan.
 */
export function lostBoxes({ unflushed }: Pick<RunState, "unflushed">, found: Tasks): TaskId[] {
  const single = singleBoxes(found);
  return Object.keys(unflushed).filter((id) => single.get(id) === false);
}

function unexplained(set: readonly TaskId[], found: Tasks, explained: ReadonlySet<TaskId>): TaskId[] {
  const single = singleBoxes(found);
  const groups = new Set(found.tasks.flatMap(({ id, isGroup }) => (isGroup === true ? [id] : [])));
  return set.filter((id) => !explained.has(id) && !groups.has(id) && single.has(id));
}

const untickedIn = ({ turn }: RunState, { tasks }: Tasks): TaskId[] =>
  turn.mended.filter((id) => tasks.find((task) => task.id === id)?.done === false);

/**
 * Questions about open tasks that stopped the previous start, to be asked again. After a batch, no question is asked
 * again: the other tasks of the batch have continued, so tasks are chosen again.
 */
function openQuestions(state: RunState, { tasks }: Tasks): ReadonlySet<string> {
  const { turn, batch } = state;
  if (!isStoppedByOne(state) || batch.length > 0) return new Set();
  const open = new Set(tasks.filter(({ done }) => !done).map(({ id }) => id));
  const isOpen = (key: string): boolean => {
    const task = plannedTask(taskOf(key));
    return open.has(task) && open.has(rootOf(state, task));
  };
  // Include a question about a granted change even if its task is ticked: the change may have ticked the task before
  // the start was killed.
  const isGranted = (key: string): boolean => Object.hasOwn(turn.changes, attemptOf(key));
  return new Set(Object.keys(turn.questions).filter((key) => isOpen(key) || isGranted(key)));
}

/** Whether a question stopped the previous start, or was the last answer before that start was killed or refused. */
function isStoppedByOne({ ended, turn }: RunState): boolean {
  const outcome = ended?.ending.outcome;
  if (outcome === undefined || outcome === "environment") return turn.asked !== null;
  return outcome === "gate" || outcome === "checkpoint";
}

/** @param plans The plan found, its hash, and the known plan without unaccepted ticks. */
function leaveTurn(
  { ended, policy }: Pick<StartPoint, "ended" | "policy">,
  state: RunState,
  plans: { readonly found: Tasks; readonly known: Tasks; readonly planHash: string },
): readonly RunRecord[] {
  const { denial, planHash } = ended ?? { denial: null, planHash: "" };
  // If a task has spent its iterations, a change of the plan by a person gives the task another chance.
  const isReset =
    denial?.limit === "maxTaskIterations" && policy.maxTaskIterations <= denial.max && planHash !== plans.planHash;
  const settled: RunRecord[] = [
    ...(isReset ? [{ type: "reset", task: denial.task } as const] : []),
    ...claimsAt(state, "begun", "claimed").map((key) => ({ type: "refunded", key }) as const),
    ...unrecordedIn(state, plans.known),
    ...pendingWrites(state).flatMap((each) =>
      each.given === null || isWrittenIn(plans.found, each) ? [] : [each.given],
    ),
  ];
  // If there is no other record, add one that abandons the turn: without that record, the next start would compare the
  // plan with this start's plan.
  const isUnsaid = settled.length === 0 && state.turns > 0 && !state.turn.left;
  return isUnsaid ? [{ type: "left" }] : settled;
}

/**
 * Missing records of passed tasks: a refused or killed start ticked these tasks, but did not record their passes.
 * Cleanup tasks stay open, so their records cannot be missing.
 */
function unrecordedIn(state: RunState, { tasks }: Tasks): RunRecord[] {
  if (state.turn.cleaning) return [];
  const ticked = new Set(tasks.filter(({ done }) => done).map(({ id }) => id));
  return claimsAt(state, "accepted")
    .filter((key) => ticked.has(taskOf(key)))
    .map((key) => ({ type: "passed", key, commit: commitOf(state, key) }));
}

const commitOf = ({ turn }: RunState, key: string): string | null =>
  at(turn.attempts, key)?.judgement?.evidence.git?.commits[0]?.hash ?? null;
