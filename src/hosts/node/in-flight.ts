import type { JournalReading } from "../../adapters/journal.ts";
import { plannedTask } from "../../model/part-id.ts";
import type { RunRecord, TimedRunRecord } from "../../model/record.ts";
import { attemptOf, effectOf } from "../../model/reply.ts";
import type { Role } from "../../model/task.ts";
import type { TaskId } from "../../model/task-id.ts";
import { currentTurn } from "../../runtime/replay.ts";
import { sumIn } from "./known-sum.ts";

/** Tasks whose executors had begun, and whose claims were not judged, when the start before ended. */
export function inFlight(records: readonly TimedRunRecord[]): ReadonlySet<TaskId> {
  const works = delegations(records).filter(({ role }) => worksOnTasks(role));
  const judged = answeredIn(records);
  return new Set(works.filter(({ key }) => !judged.has(`${key}/verify`)).map(({ task }) => plannedTask(task)));
}

/** Whether somebody claims to be done whose claim, and what was done to the plan meanwhile, is still to be judged. */
export function awaitsJudgement(records: readonly TimedRunRecord[]): boolean {
  const answered = answeredIn(records);
  const settled = new Set(currentTurn(records).flatMap(settledBy));
  const works = delegations(records).filter(({ role }) => worksOnTasks(role));
  return works.some(({ key }) => answered.has(`${key}/delegate`) && !settled.has(key));
}

/** Whether somebody was let at the workspace since a start has last told its end. */
export function hasWorked(reading: Pick<JournalReading, "records" | "sum">): boolean {
  const { records } = reading;
  const told = records.findLastIndex(({ type }) => type === "ended");
  if (told === -1 && sumIn(reading) !== undefined) return true;
  return records
    .slice(told + 1)
    .some((record) => record.type === "delegated" || (record.type === "answered" && effectOf(record.key) === "verify"));
}

/** The attempt that a record says is judged, or has spent nothing. */
export function settledBy(record: RunRecord): string[] {
  if (record.type === "spared") return [record.key];
  if (record.type !== "answered") return [];
  const isReplanned = (record.answer as { readonly kind?: string }).kind === "replanned";
  return effectOf(record.key) === "verify" || isReplanned ? [attemptOf(record.key)] : [];
}

/** The attempts of a turn whose claims were accepted for good. */
export const acceptedIn = (turn: readonly TimedRunRecord[]): ReadonlySet<string> =>
  new Set(
    turn.flatMap((record) => {
      if (record.type !== "answered") return [];
      const { kind, reviewDue } = record.answer as { readonly kind?: string; readonly reviewDue?: boolean };
      const effect = effectOf(record.key);
      const isLast = effect === "review" || (effect === "verify" && reviewDue !== true);
      return isLast && kind === "accepted" ? [attemptOf(record.key)] : [];
    }),
  );

/** Keys of the delegations whose replies nobody has recorded: their executors may still be at work. */
export function leftBehind(records: readonly TimedRunRecord[]): readonly string[] {
  const answered = answeredIn(records);
  return delegations(records)
    .filter(({ key, role }) => !answered.has(worksOnTasks(role) ? `${key}/delegate` : key))
    .map(({ key }) => key);
}

/** Whether a role does tasks; what others are asked has a key of its own. */
export const worksOnTasks = (role: Role): boolean => role === "executor" || role === "verifier";

const delegations = (records: readonly TimedRunRecord[]): Extract<RunRecord, { type: "delegated" }>[] =>
  currentTurn(records).flatMap((record) => (record.type === "delegated" ? [record] : []));

const answeredIn = (records: readonly TimedRunRecord[]): ReadonlySet<string> =>
  new Set(currentTurn(records).flatMap((record) => (record.type === "answered" ? [record.key] : [])));
