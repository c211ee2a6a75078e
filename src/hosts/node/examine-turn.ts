import type { JournalReading } from "../../adapters/journal.ts";
import type { RunMemory } from "../../effects/run-memory.ts";
import type { PlanDocument } from "../../markdown/document/plan-document.ts";
import { boxChange } from "../../model/box-change.ts";
import { plannedTask } from "../../model/part-id.ts";
import type { Plan } from "../../model/plan.ts";
import type { Policy } from "../../model/policy.ts";
import type { TimedRunRecord } from "../../model/record.ts";
import { attemptOf, taskOf } from "../../model/reply.ts";
import type { TaskId } from "../../model/task-id.ts";
import type { OpenPlan } from "../../ports/documents.ts";
import { asksPerson, currentTurn } from "../../runtime/replay.ts";
import { describeChange } from "./accept-change.ts";
import { acceptedIn, awaitsJudgement, hasWorked, inFlight } from "./in-flight.ts";
import { isLeft } from "./leave-turn.ts";
import { isBroken, type Origin } from "./open-run.ts";
import type { Start } from "./start.ts";

/** What has become of the last turn of a run, and of its plan, since the start before. */
export interface Examination {
  /** That start has told no end. */
  readonly killed: boolean;
  /** What others have changed in the plan beside boxes; null when nothing. */
  readonly change: string | null;
  /** Whether boxes may have been changed by executors that nobody has judged; else people have changed them. */
  readonly isSuspect: boolean;
  /** Whether the run goes on in the middle of that turn; else a task is chosen afresh. */
  readonly midTurn: boolean;
  /** Whether a claim is to be judged from the boxes as they stand. */
  readonly toJudge: boolean;
  /** Tasks whose executors may have written into their blocks. */
  readonly own: ReadonlySet<TaskId>;
  /** Records of questions that are asked again. */
  readonly questions: ReadonlySet<TimedRunRecord>;
}

/**
 * @param before The plan as the start before has left it; undefined when that is not known.
 * @param hashOf A name for a text, by which it is known again.
 */
export function examineTurn(
  { reading, origin }: Pick<Start, "reading" | "origin">,
  { before, found }: { readonly before: PlanDocument | undefined; readonly found: OpenPlan },
  memory: Pick<RunMemory, "rootOf">,
  hashOf: (text: string) => string,
): Examination {
  const records = origin.fresh ? [] : reading.records;
  const { ended } = origin;
  const killed = !origin.fresh && ended === null;
  const own = inFlight(records);
  const isWatched = before !== undefined && (killed || hashOf(before.text) !== ended?.planHash);
  const change = isWatched ? describeChange(before.plan, found.plan, own) : null;
  const asKnown = killed && change === null && (hasWorked(reading) || areBoxesAsLeft(before, found.plan, records));
  const isAsTold = isBroken(origin) && ended?.planHash === hashOf(found.text);
  const questions = questionsOf(origin, records, found.plan, memory.rootOf);
  const maySo = asKnown || isAsTold || questions.size > 0;
  const midTurn = maySo && !isLeft(records) && isUnderSamePolicy(reading, origin.policy);
  const toJudge = midTurn && awaitsJudgement(records);
  return { killed, change, isSuspect: killed && (toJudge || hasWorked(reading)), midTurn, toJudge, own, questions };
}

/** Whether no box differs but of tasks that were accepted: a start that lets nobody work ticks no others. */
function areBoxesAsLeft(before: PlanDocument | undefined, found: Plan, records: readonly TimedRunRecord[]): boolean {
  const boxes = before === undefined ? null : boxChange(before.plan, found);
  const accepted = new Set([...acceptedIn(currentTurn(records))].map(taskOf));
  return boxes === null || (boxes.cleared.length === 0 && boxes.set.every((task) => accepted.has(task)));
}

/** Recorded answers lead to the same state only under the policy they were given under. */
function isUnderSamePolicy({ segments }: JournalReading, policy: Policy): boolean {
  const recorded =
    segments.findLast(({ records }) => records.some(({ type }) => type === "answered"))?.header.policy ?? policy;
  return JSON.stringify(recorded) === JSON.stringify(policy);
}

/**
 * The questions about tasks that are still open, when those stopped the start before: they are asked again. Beside one
 * in a batch others have gone on, so that its tasks are chosen afresh.
 */
function questionsOf(
  { ended }: Origin,
  records: readonly TimedRunRecord[],
  { tasks }: Plan,
  rootOf: (task: TaskId) => TaskId,
): ReadonlySet<TimedRunRecord> {
  const turn = currentTurn(records);
  const asked = isStoppedByOne(ended, turn) && !isBatch(turn) ? turn.filter(asksPerson) : [];
  if (asked.length === 0) return new Set();
  const open = new Set(tasks.filter(({ done }) => !done).map(({ id }) => id));
  const isOpen = (key: string): boolean => {
    const task = plannedTask(taskOf(key));
    return open.has(task) && open.has(rootOf(task));
  };
  // A start that was killed behind the change it was granted then may have ticked the task by that.
  const granted = new Set(turn.flatMap((record) => (record.type === "planned" ? [record.key] : [])));
  const holds = (key: string): boolean => isOpen(key) || granted.has(attemptOf(key));
  return new Set(asked.filter((record) => record.type === "answered" && holds(record.key)));
}

/** A start that was killed or refused something behind its question had no time to say so, or to hear the answer. */
function isStoppedByOne(ended: Origin["ended"], turn: readonly TimedRunRecord[]): boolean {
  const outcome = ended?.ending.outcome;
  if (outcome !== undefined && outcome !== "environment") return ["gate", "checkpoint"].includes(outcome);
  const last = turn.findLast(({ type }) => type === "answered");
  return last !== undefined && asksPerson(last);
}

const isBatch = ([chosen]: readonly TimedRunRecord[]): boolean =>
  chosen?.type === "answered" && (chosen.answer as { readonly kind?: string }).kind === "batch";
