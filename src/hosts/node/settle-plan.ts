import type { Journal, JournalReading } from "../../adapters/journal.ts";
import { createKnownPlan, type KnownPlan } from "../../effects/known-plan.ts";
import type { RunMemory } from "../../effects/run-memory.ts";
import { takeTicksBack } from "../../effects/take-ticks-back.ts";
import type { Plan } from "../../model/plan.ts";
import type { Policy } from "../../model/policy.ts";
import type { RunRecord, TimedRunRecord } from "../../model/record.ts";
import { taskOf } from "../../model/reply.ts";
import { asksPerson } from "../../runtime/replay.ts";
import { acceptChange, describeChange } from "./accept-change.ts";
import { lastDelegated } from "./end-leftovers.ts";
import { keepBase, rebuildBase } from "./known-base.ts";
import type { Origin } from "./open-run.ts";
import type { Start } from "./start.ts";
import { checkPlan, hashOf } from "./verify-consent.ts";

/** Where the plan stands at a start, and how the run goes on from there. */
export interface Standing {
  readonly plan: KnownPlan;
  readonly found: Plan;
  /** Whether the run goes on in the middle of its last turn; else a task is chosen afresh. */
  readonly midTurn: boolean;
  /** The records that still hold. */
  readonly records: readonly TimedRunRecord[];
}

/**
 * Look at the plan now that nobody else is at work on it, and settle what has become of it since the start before:
 * ticks that nobody accepted are taken back, other changes need a person, and a run goes on in mid-turn only where
 * everything it has recorded still holds.
 *
 * @throws {InputError} `plan-changed`, `plan-refused`
 */
export async function settlePlan(start: Start, journal: Journal, memory: RunMemory): Promise<Standing> {
  const { options, documents, reading, origin } = start;
  const found = await documents.read();
  checkPlan(found.plan, start);
  const records = origin.fresh ? [] : reading.records;
  const last = origin.ended?.ending.outcome;
  const killed = !origin.fresh && last === undefined;
  const current = lastDelegated(records)?.task ?? "";
  const base = origin.fresh ? undefined : rebuildBase(journal.folder, reading, memory.intended, found.plan);
  const watchful = base !== undefined && (killed || hashOf(base.text) !== origin.ended?.planHash);
  const change = watchful ? describeChange(base.plan, found.plan, current) : null;
  if (change !== null) await acceptChange(change, options);
  const asKnown = killed && change === null;
  if (killed && base !== undefined) {
    const plan = createKnownPlan(documents, { base });
    await takeTicksBack({ documents, plan }, asKnown ? current : null);
  }

  const asLeft = ["interrupted", "environment"].includes(last ?? "") && origin.ended?.planHash === hashOf(found.text);
  const question = questionOf(origin, records, found.plan);
  const midTurn = isUnderSamePolicy(reading, origin.policy) && (asKnown || asLeft || question !== null);
  const note = (record: RunRecord): void => {
    journal.append(record, { durable: false });
    memory.fold(record);
  };
  if (!midTurn) forgetUnwrittenFix(records, found.plan, note);
  if (mayBeginAnew(origin, hashOf(found.text))) note({ type: "reset", task: origin.ended?.denial?.task ?? "" });

  const keep = (text: string): void => keepBase(journal.folder, journal.segment, text);
  const plan = createKnownPlan(documents, { base: asKnown ? base : undefined, onAdopt: keep });
  keep((await plan.read()).known.text);
  return { plan, found: found.plan, midTurn, records: records.filter((record) => record !== question) };
}

/** Recorded answers lead to the same state only under the policy they were given under. */
function isUnderSamePolicy({ segments }: JournalReading, policy: Policy): boolean {
  const recorded =
    segments.findLast(({ records }) => records.some(({ type }) => type === "answered"))?.header.policy ?? policy;
  return JSON.stringify(recorded) === JSON.stringify(policy);
}

/** A fix task that was killed before it was written leaves its number to the next. */
function forgetUnwrittenFix(records: readonly RunRecord[], found: Plan, note: (record: RunRecord) => void): void {
  const last = records.findLast((record) => record.type === "intended")?.fix;
  if (last === undefined || found.tasks.some(({ id }) => id === last.id)) return;
  if (!records.some((record) => record.type === "dropped" && record.fix === last.id)) {
    note({ type: "dropped", fix: last.id });
  }
}

/** A person who changes the plan after its iterations were spent gives the task another chance. */
function mayBeginAnew({ ended, policy }: Origin, planHash: string): boolean {
  if (ended?.denial?.limit !== "maxTaskIterations") return false;
  return policy.maxTaskIterations <= ended.denial.max && ended.planHash !== planHash;
}

/** The question about a task that is still open, when that stopped the start before: it is asked again. */
function questionOf({ ended }: Origin, records: readonly TimedRunRecord[], { tasks }: Plan): TimedRunRecord | null {
  const last = records.findLast((record) => record.type === "answered");
  if (ended?.ending.outcome !== "gate" || last === undefined || !asksPerson(last)) return null;
  return tasks.some(({ id, done }) => id === taskOf(last.key) && !done) ? last : null;
}
