import type { Journal, JournalReading } from "../../adapters/journal.ts";
import { createKnownPlan, type KnownPlan } from "../../effects/known-plan.ts";
import type { RunMemory } from "../../effects/run-memory.ts";
import { takeTicksBack } from "../../effects/take-ticks-back.ts";
import { plannedTask } from "../../model/part-id.ts";
import type { Plan } from "../../model/plan.ts";
import type { Policy } from "../../model/policy.ts";
import type { RunRecord, TimedRunRecord } from "../../model/record.ts";
import { attemptOf, taskOf } from "../../model/reply.ts";
import type { TaskId } from "../../model/task-id.ts";
import { asksPerson, currentTurn } from "../../runtime/replay.ts";
import { acceptChange, describeChange } from "./accept-change.ts";
import { awaitsJudgement, hasWorked, inFlight } from "./in-flight.ts";
import { isLeft, leaveTurn } from "./leave-turn.ts";
import type { Origin } from "./open-run.ts";
import { type PlanBases, rebuildBase } from "./rebuild-base.ts";
import { reopenCleared } from "./reopen-cleared.ts";
import type { Start } from "./start.ts";
import { takeWords } from "./take-words.ts";

/** Where the plan stands at a start, and how the run goes on from there. */
export interface Standing {
  readonly plan: KnownPlan;
  readonly found: Plan;
  /** Whether the run goes on in the middle of its last turn; else a task is chosen afresh. */
  readonly midTurn: boolean;
  /** The records that still hold. */
  readonly records: readonly TimedRunRecord[];
}

/** What a start is settled with. */
export interface Desk {
  readonly journal: Pick<Journal, "append">;
  readonly bases: PlanBases;
  /** A name for a text, by which a later start knows it again. */
  readonly hashOf: (text: string) => string;
  /** Throws when the plan cannot be followed, or would run other commands than were agreed to. */
  readonly check: (plan: Plan) => Promise<void>;
}

/**
 * Look at the plan now that nobody else is at work on it, and settle what has become of it since the start before:
 * ticks that nobody accepted are taken back, what was cleared is open again, other changes need a person, and a run goes on in mid-turn only where
 * everything it has recorded still holds.
 *
 * @throws {InputError} `plan-changed`, `plan-refused`
 */
export async function settlePlan(
  start: Start,
  { journal, bases, hashOf, check }: Desk,
  memory: RunMemory,
): Promise<Standing> {
  const { options, documents, reading, origin } = start;
  const found = await documents.read();
  await check(found.plan);
  const records = origin.fresh ? [] : reading.records;
  const last = origin.ended?.ending.outcome;
  const killed = !origin.fresh && last === undefined;
  const own = inFlight(records);
  const left = origin.fresh ? undefined : rebuildBase(bases, reading, found);
  const watchful = left !== undefined && (killed || hashOf(left.text) !== origin.ended?.planHash);
  const change = watchful ? describeChange(left.plan, found.plan, own) : null;
  if (change !== null) await acceptChange(change, options);
  const asKnown = killed && change === null;
  const asLeft = ["interrupted", "environment"].includes(last ?? "") && origin.ended?.planHash === hashOf(found.text);
  const questions = questionsOf(origin, records, found.plan, memory.rootOf);
  const maySo = asKnown || asLeft || questions.size > 0;
  const midTurn = maySo && !isLeft(records) && isUnderSamePolicy(reading, origin.policy);
  const toJudge = midTurn && awaitsJudgement(records);
  // Boxes that were changed while none of the run's was at work were changed by people.
  const isSuspect = killed && (toJudge || hasWorked(reading));
  const base = left === undefined ? left : reopenCleared(left, found.plan);
  if (isSuspect && base !== undefined && !toJudge) {
    const plan = createKnownPlan(documents, { base });
    // Of an attempt that is not taken up again nobody asks what its tick was worth.
    await takeTicksBack({ documents, plan }, midTurn ? own : new Set());
  }
  const note = (record: RunRecord): void => {
    journal.append(record, { durable: false });
    memory.fold(record);
  };
  const plan = createKnownPlan(documents, { base: asKnown && isSuspect ? base : undefined, onAdopt: bases.keep });
  const { known } = await plan.read();
  // Behind a start that told its end people may have changed boxes: what it told holds until the first record.
  if (!killed) bases.keep(known.text);
  const settled = midTurn ? [] : leaveTurn(origin, records, { found: found.plan, planHash: hashOf(found.text) });
  settled.forEach(note);
  takeWords(start, memory, midTurn).forEach(note);
  // Behind one that was killed the turn is left before the plan is taken, so that nobody goes on in it under another.
  if (killed) bases.keep(known.text);
  return { plan, found: found.plan, midTurn, records: records.filter((record) => !questions.has(record)) };
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
