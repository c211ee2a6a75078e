import { endProcesses } from "../../adapters/end-processes.ts";
import { plannedTask } from "../../model/part-id.ts";
import type { RunRecord, TimedRunRecord } from "../../model/record.ts";
import type { Role } from "../../model/task.ts";
import type { TaskId } from "../../model/task-id.ts";
import { currentTurn } from "../../runtime/replay.ts";

/** What a Verify command is marked with, so that one left over by a killed coordinator is found. */
export const verifyMark = "verify";

/** Tasks whose executors had begun, and whose claims were not judged, when the start before ended. */
export const inFlight = (records: readonly TimedRunRecord[]): ReadonlySet<TaskId> => {
  const works = delegations(records).filter(({ role }) => worksOnTasks(role));
  const judged = answeredIn(records);
  return new Set(works.filter(({ key }) => !judged.has(`${key}/verify`)).map(({ task }) => plannedTask(task)));
};

/** End the executors or the Verify command that a killed coordinator left working. */
export async function endLeftovers(specFolder: string, records: readonly TimedRunRecord[]): Promise<void> {
  const answered = answeredIn(records);
  const left = delegations(records).filter(
    ({ key, role }) => !answered.has(worksOnTasks(role) ? `${key}/delegate` : key),
  );
  for (const mark of [...left.map(({ key }) => key), verifyMark]) {
    await endProcesses({ mark: { FIXPOINT_SPEC: specFolder, FIXPOINT_KEY: mark } });
  }
}

const delegations = (records: readonly TimedRunRecord[]): Extract<RunRecord, { type: "delegated" }>[] =>
  currentTurn(records).flatMap((record) => (record.type === "delegated" ? [record] : []));

const answeredIn = (records: readonly TimedRunRecord[]): ReadonlySet<string> =>
  new Set(currentTurn(records).flatMap((record) => (record.type === "answered" ? [record.key] : [])));

/** Whether a role does tasks; what others are asked has a key of its own. */
export const worksOnTasks = (role: Role): boolean => role === "executor" || role === "verifier";
