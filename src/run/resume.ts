import type { Plan } from "../model/plan.ts";
import { boxChange, doneAsKnown, type PlanText } from "../model/plan-parts.ts";
import type { RunRecord } from "../model/record.ts";
import { type AttemptKey, attemptOf, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { plannedTask, type TaskId } from "../model/task.ts";
import type { ClaimStage } from "../model/turn.ts";
import { type EditedPlan, findEdits } from "../recover/find-edits.ts";
import { isBroken, type Origin } from "./origin.ts";
import { rootOf } from "./spent.ts";

type Tasks = Pick<Plan, "tasks">;

/** The plan that a start finds. */
export interface FoundPlan {
  /** As the run knows it; null when it has not looked at it yet. */
  readonly known: PlanText | null;
  readonly found: PlanText;
  /** A name for a text, by which it is known again. */
  readonly hashOf: (text: string) => string;
}

/** How a start resumes a run. */
export interface Resumed {
  /** Edits that executors may not make, as a report, which a person has to accept; null when there are none. */
  readonly change: string | null;
  /** Ticks that no verdict explains: whether a person or an executor has made them cannot be told, so it is asked. */
  readonly ticks: readonly TaskId[];
  /** For each task of the found plan whether it counts as done, with these of the ticks; null: as it is found. */
  readonly boxes: (kept: readonly TaskId[]) => readonly boolean[] | null;
  /** Boxes are put back to those, but for these tasks; null where none is put back. */
  readonly standing: ReadonlySet<TaskId> | null;
  /** Tasks that are ticked now: a start has recorded that a person had mended them. */
  readonly unticked: readonly TaskId[];
  /** Tasks that are ticked again: they had passed, and the save of an executor has lost their ticks. */
  readonly lost: readonly TaskId[];
  /** Whether the plan is to be taken as the run knows it, since others are still at work on what they were given. */
  readonly isAtWork: boolean;
  /** Whether the run goes on in the middle of its last turn; else a task is chosen afresh. */
  readonly midTurn: boolean;
  /** Whether a claim is to be judged from the boxes as they stand. */
  readonly toJudge: boolean;
  /** Keys of questions that are asked again. */
  readonly questions: ReadonlySet<string>;
  /**
   * What is recorded of the last turn when it is not gone on with, together.
   *
   * @param known The plan that is gone on with.
   */
  readonly leave: (known: Tasks) => readonly RunRecord[];
}

/**
 * Resume a run from its state and the plan as it is found: ticks that nobody accepted are taken back, what was cleared
 * is open again, other changes need a person, and the last turn is gone on with only where all that it has recorded
 * still holds.
 *
 * After a kill, no one can tell whether an executor or a person has cleared a box. If the task has passed in the turn in
 * which other executors were still at work, it counts as lost by one of their saves; else as cleared by a person: to
 * do a task again costs an attempt, to take it for done may be wrong.
 */
export function resume(
  origin: Pick<Origin, "state" | "ended" | "policy" | "answeredUnder">,
  { known, found, hashOf }: FoundPlan,
): Resumed {
  const { state, ended } = origin;
  if (state === null) return fresh;
  // Whoever has work that is handed out is still at it: what has changed since is judged with the report.
  if (isHandedOut(state) && !state.turn.left && isSamePolicy(origin)) {
    return { ...fresh, midTurn: true, isAtWork: true };
  }
  const killed = ended === null;
  const own = tasksBegun(state);
  const writing = writingIn(state, found.plan);
  const accepted = new Set([...tasksAccepted(state), ...writing.ticked]);
  const cleared = known === null ? [] : clearedIn(known.plan, found.plan);
  const lost = state.worked && own.size > 0 ? cleared.filter((id) => accepted.has(id)) : [];
  const reopened = cleared.filter((id) => !lost.includes(id));
  const isWatched = known !== null && (killed || hashOf(known.text) !== ended.planHash);
  const change = isWatched ? changeOf(known, found, { own, reopened, added: writing.added }) : null;
  const boxes = known && boxChange(known.plan, found.plan);
  // A start that lets nobody work ticks no others.
  const areAsLeft = boxes === null || (boxes.cleared.length === 0 && boxes.set.every((id) => accepted.has(id)));
  const asKnown = killed && change === null && (state.worked || areAsLeft);
  const isAsTold = isBroken(origin) && ended?.planHash === hashOf(found.text);
  const questions = openQuestions(state, found.plan);
  const midTurn = (asKnown || isAsTold || questions.size > 0) && !state.turn.left && isSamePolicy(origin);
  const toJudge = midTurn && claimsAt(state, "claimed").length > 0;
  // Else people alone have changed boxes.
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
    // Of an attempt that is not taken up again nobody asks what its tick was worth.
    standing: !isUnjudged ? null : midTurn ? own : new Set(),
    unticked: killed ? untickedIn(state, found.plan) : [],
    leave: (plan) => leaveTurn(origin, state, { found: found.plan, known: plan, planHash: hashOf(found.text) }),
  };
}

/** Whether work is handed out that was not reported yet. */
const isHandedOut = ({ turn }: Pick<RunState, "turn">): boolean => Object.keys(turn.handedOut).length > 0;

/** Recorded answers lead to the same state only under the policy they were given under. */
const isSamePolicy = ({ answeredUnder, policy }: Pick<Origin, "answeredUnder" | "policy">): boolean =>
  JSON.stringify(answeredUnder) === JSON.stringify(policy);

/** Nothing is known of a run that is begun. */
const fresh: Resumed = {
  ...{ isAtWork: false, change: null, ticks: [], boxes: () => null, standing: null, unticked: [], lost: [] },
  ...{ midTurn: false, toJudge: false, questions: new Set(), leave: () => [] },
};

/** Edits that executors may not make, as a report; null without any. A task that is to be done again is watched whole. */
function changeOf(
  known: PlanText,
  found: PlanText,
  { reopened, ...given }: { readonly reopened: readonly TaskId[] } & Pick<EditedPlan, "own" | "added">,
): string | null {
  const tasks = known.plan.tasks.map((task) => (reopened.includes(task.id) ? { ...task, done: false } : task));
  return findEdits({ before: { text: known.text, plan: { tasks } }, after: found, ...given }).reason;
}

/** Attempts of the turn whose claims have come so far. */
const claimsAt = ({ turn }: Pick<RunState, "turn">, ...stages: readonly ClaimStage[]): AttemptKey[] =>
  Object.entries(turn.claims).flatMap(([key, stage]) => (stages.includes(stage) ? [key] : []));

/** Tasks whose executors had begun, and whose claims were not judged, when the start before ended. */
const tasksBegun = (state: Pick<RunState, "turn">): ReadonlySet<TaskId> =>
  new Set(claimsAt(state, "begun", "claimed", "refunded").map((key) => plannedTask(taskOf(key))));

/** Tasks that were accepted: their boxes may be ticked already. */
const tasksAccepted = (state: Pick<RunState, "turn">): TaskId[] => claimsAt(state, "accepted", "passed").map(taskOf);

/** A change of the plan that was recorded before it was made, and of which nobody has said that it was. */
interface Unwritten {
  readonly ids: readonly TaskId[];
  /** The task that is ticked with it. */
  readonly ticks: readonly TaskId[];
  /** What is recorded where it is not to be made any more. */
  readonly given: RunRecord | null;
}

function unwrittenIn({ turn }: RunState): Unwritten[] {
  const isOpen = (key: string): boolean => !Object.hasOwn(turn.written, key);
  const { addition } = turn;
  return [
    ...Object.entries(turn.fixes).flatMap(([key, { id }]) =>
      isOpen(`${key}/insertFix`) ? [{ ids: [id], ticks: [], given: { type: "dropped", fix: id } as const }] : [],
    ),
    ...Object.entries(turn.changes).flatMap(([key, { change }]) => {
      const ids = change.tasks.map(({ id }) => id);
      const ticks = change.tick === true ? [change.task] : [];
      return isOpen(`${key}/changePlan`) ? [{ ids, ticks, given: { type: "withdrawn", key } as const }] : [];
    }),
    ...(addition === undefined ? [] : [{ ids: addition.change.tasks.map(({ id }) => id), ticks: [], given: null }]),
  ];
}

/** Whether all tasks of a change stand in a plan. */
const standsIn = ({ tasks }: Tasks, { ids }: Unwritten): boolean =>
  ids.every((wanted) => tasks.some(({ id }) => id === wanted));

/** Tasks that the run was about to add, or to tick with them, where those stand in the plan. */
function writingIn(state: RunState, found: Tasks): { readonly added: Set<TaskId>; readonly ticked: Set<TaskId> } {
  const made = unwrittenIn(state).filter((each) => standsIn(found, each));
  return { added: new Set(made.flatMap(({ ids }) => ids)), ticked: new Set(made.flatMap(({ ticks }) => ticks)) };
}

/** Boxes of tasks by their ids, without those that share one: of two with one id nobody can say which is meant. */
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

/** Tasks that are ticked in the plan as it is known, and open in the plan as it is found. */
function clearedIn(known: Tasks, found: Tasks): TaskId[] {
  if (known.tasks === found.tasks) return [];
  const is = singleBoxes(found);
  return [...singleBoxes(known)].flatMap(([id, done]) => (done && is.get(id) === false ? [id] : []));
}

/**
 * Open boxes that a power cut may have cleared: of tasks whose passes are recorded, without a record that they were
 * flushed.
 *
 * @param found The plan as it is now.
 */
export function lostBoxes({ unflushed }: Pick<RunState, "unflushed">, found: Tasks): TaskId[] {
  const single = singleBoxes(found);
  return Object.keys(unflushed).filter((id) => single.get(id) === false);
}

/** Ticks that are not of tasks whose executors may tick them, or that were accepted. */
function unexplained(set: readonly TaskId[], found: Tasks, explained: ReadonlySet<TaskId>): TaskId[] {
  const single = singleBoxes(found);
  const groups = new Set(found.tasks.flatMap(({ id, isGroup }) => (isGroup === true ? [id] : [])));
  return set.filter((id) => !explained.has(id) && !groups.has(id) && single.has(id));
}

const untickedIn = ({ turn }: RunState, { tasks }: Tasks): TaskId[] =>
  turn.mended.filter((id) => tasks.find((task) => task.id === id)?.done === false);

/**
 * The questions about tasks that are still open, when those stopped the start before: they are asked again. Beside one
 * in a batch others have gone on, so that its tasks are chosen afresh.
 */
function openQuestions(state: RunState, { tasks }: Tasks): ReadonlySet<string> {
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

/** @param plans As found, its name, and as it is known without ticks that nobody accepted. */
function leaveTurn(
  { ended, policy }: Pick<Origin, "ended" | "policy">,
  state: RunState,
  plans: { readonly found: Tasks; readonly known: Tasks; readonly planHash: string },
): readonly RunRecord[] {
  const { denial, planHash } = ended ?? { denial: null, planHash: "" };
  // A person who changes the plan after its iterations were spent gives the task another chance.
  const isReset =
    denial?.limit === "maxTaskIterations" && policy.maxTaskIterations <= denial.max && planHash !== plans.planHash;
  const settled: RunRecord[] = [
    ...(isReset ? [{ type: "reset", task: denial.task } as const] : []),
    ...claimsAt(state, "begun", "claimed").map((key) => ({ type: "refunded", key }) as const),
    ...unrecordedIn(state, plans.known),
    ...unwrittenIn(state).flatMap((each) => (each.given === null || standsIn(plans.found, each) ? [] : [each.given])),
  ];
  // The next start takes the plan that this one goes on with for that of the turn.
  const isUnsaid = settled.length === 0 && state.turns > 0 && !state.turn.left;
  return isUnsaid ? [{ type: "left" }] : settled;
}

/** Passes of a turn that were refused or killed behind their ticks; of what stays open after it none is recorded. */
function unrecordedIn(state: RunState, { tasks }: Tasks): RunRecord[] {
  if (state.turn.cleaning) return [];
  const ticked = new Set(tasks.filter(({ done }) => done).map(({ id }) => id));
  return claimsAt(state, "accepted")
    .filter((key) => ticked.has(taskOf(key)))
    .map((key) => ({ type: "passed", key, commit: commitOf(state, key) }));
}

/** The last commit that an attempt has made. */
const commitOf = ({ turn }: RunState, key: string): string | null =>
  at(turn.attempts, key)?.judgement?.evidence.git?.commits[0]?.hash ?? null;
