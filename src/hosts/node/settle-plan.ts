import type { Journal } from "../../adapters/journal.ts";
import { createKnownPlan, type KnownPlan } from "../../effects/known-plan.ts";
import type { RunMemory } from "../../effects/run-memory.ts";
import { takeTicksBack } from "../../effects/take-ticks-back.ts";
import { tasksOf } from "../../markdown/document/find-task.ts";
import { blockOf, type PlanDocument } from "../../markdown/document/plan-document.ts";
import { tickedIn } from "../../markdown/tick-task.ts";
import type { Plan } from "../../model/plan.ts";
import type { RunRecord, TimedRunRecord } from "../../model/record.ts";
import { taskOf } from "../../model/reply.ts";
import type { TaskId } from "../../model/task-id.ts";
import { currentTurn } from "../../runtime/replay.ts";
import { acceptChange } from "./accept-change.ts";
import { examineTurn } from "./examine-turn.ts";
import { type Mending, noMending } from "./find-mended.ts";
import { acceptedIn } from "./in-flight.ts";
import { leaveTurn } from "./leave-turn.ts";
import { isBroken } from "./open-run.ts";
import { keptBy, type PlanBases, rebuildBase } from "./rebuild-base.ts";
import { reopenCleared } from "./reopen-cleared.ts";
import { settleTicks } from "./settle-ticks.ts";
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
  /** What has become of the task that the start before has stopped at. */
  readonly mending: Mending;
}

/** What a start is settled with. */
export interface Desk {
  readonly journal: Pick<Journal, "append">;
  readonly bases: PlanBases;
  /** A name for a text, by which a later start knows it again. */
  readonly hashOf: (text: string) => string;
  /**
   * Looks whether a person has mended what the start before has stopped at.
   *
   * @param plan As it is known.
   * @param wasChanged Whether the text of a task is another than that start has left: it is to be done as it says now.
   */
  readonly look: (plan: Plan, wasChanged: (task: TaskId) => boolean) => Promise<Mending>;
  /** Throws when the plan cannot be followed, or would run other commands than were agreed to. */
  readonly check: (plan: Plan) => Promise<void>;
}

/** Whether a task says something else than it did, its box aside. */
function isRewritten(task: TaskId, before: PlanDocument | undefined, now: PlanDocument): boolean {
  if (before === undefined || tasksOf(before, task).length !== 1) return false;
  return blockOf(tickedIn(before, task, false), task) !== blockOf(tickedIn(now, task, false), task);
}

/** Tasks of the last turn that were accepted: their boxes may be ticked already. */
const acceptedTasks = (records: readonly TimedRunRecord[]): TaskId[] =>
  [...acceptedIn(currentTurn(records))].map(taskOf);

/** Tasks that a person had mended, which a start recorded, but was killed before it ticked them. */
const unticked = (records: readonly TimedRunRecord[], { tasks }: Plan): TaskId[] =>
  currentTurn(records)
    .flatMap((record) => (record.type === "mended" ? record.passes.map(({ key }) => taskOf(key)) : []))
    .filter((id) => tasks.find((task) => task.id === id)?.done === false);

/**
 * Look at the plan now that nobody else is at work on it, and settle what has become of it since the start before:
 * ticks that nobody accepted are taken back, what was cleared is open again, other changes need a person, and a run
 * goes on in mid-turn only where everything it has recorded still holds.
 *
 * @throws {InputError} `plan-changed`, `plan-refused`, `ticks-unexplained`
 */
export async function settlePlan(
  start: Start,
  { journal, bases, hashOf, look, check }: Desk,
  memory: RunMemory,
): Promise<Standing> {
  const { documents, reading, origin } = start;
  const found = await documents.read();
  await check(found.plan);
  const before = origin.fresh ? undefined : rebuildBase(bases, reading, found);
  const examined = examineTurn(start, { before, found }, memory, hashOf);
  const { killed, change } = examined;
  if (change !== null) await acceptChange(change, found.text, start, keptBy(bases, reading.segments));
  const left = before === undefined || !examined.isSuspect ? undefined : reopenCleared(before, found.plan);
  const isUnjudged = left !== undefined && !examined.toJudge;
  const base = isUnjudged
    ? await settleTicks(left, found, new Set([...examined.own, ...acceptedTasks(reading.records)]), start)
    : left;
  if (base !== undefined && !examined.toJudge) {
    const plan = createKnownPlan(documents, { base });
    // Of an attempt that is not taken up again nobody asks what its tick was worth.
    await takeTicksBack({ documents, plan }, examined.midTurn ? examined.own : new Set());
  }
  const plan = createKnownPlan(documents, {
    base: change === null ? base : undefined,
    onAdopt: bases.keep,
    keptAt: bases.pathOf(),
  });
  if (killed) for (const task of unticked(reading.records, found.plan)) await plan.tick(task, true);
  const { known } = await plan.read();
  const mending =
    origin.fresh || examined.toJudge ? noMending : await look(known.plan, (task) => isRewritten(task, before, known));
  // What was asked about a task that is mended is asked no more.
  const midTurn = examined.midTurn && mending.mended.length === 0;
  const records = origin.fresh ? [] : reading.records;
  // Where a question is put again, its answer is recorded before anything is edited.
  const takesUp = midTurn && isBroken(origin) && examined.questions.size === 0;
  const settle = (): void => {
    const due = midTurn
      ? []
      : leaveTurn(origin, records, { found: found.plan, known: known.plan, planHash: hashOf(found.text) });
    const said = mending.mended.length === 0 ? takeWords(start, memory, midTurn) : [];
    for (const record of [...due, ...said]) {
      journal.append(record, { durable: false });
      memory.fold(record);
    }
    // From here on the plan is edited, so that the next start cannot know it by what the one before this told.
    if (takesUp) journal.append({ type: "continued" }, { durable: true });
  };
  // Behind a start that was killed the turn is left before the plan is taken: nobody goes on in it under another.
  if (killed) settle();
  bases.keep(known.text);
  // Behind one that told its end people may have changed boxes: what it told holds until the first record.
  if (!killed) settle();
  if (mending.mended.length > 0) {
    const record: Extract<RunRecord, { type: "mended" }> = { type: "mended", passes: [...mending.mended] };
    journal.append(record, { durable: true });
    memory.fold(record);
    for (const { key } of record.passes) await plan.tick(taskOf(key), true);
  }
  return {
    plan,
    found: found.plan,
    midTurn,
    mending,
    records: records.filter((record) => !examined.questions.has(record)),
  };
}
