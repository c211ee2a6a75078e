import { endProcesses } from "../../adapters/end-processes.ts";
import type { TimedRunRecord } from "../../model/record.ts";

/** What a Verify command is marked with, so that one left over by a killed coordinator is found. */
export const verifyMark = "verify";

/** The delegation that was made last. */
export const lastDelegated = (records: readonly TimedRunRecord[]) =>
  records.findLast((record) => record.type === "delegated");

/** End the executor or Verify command that a killed coordinator left working. */
export async function endLeftovers(specFolder: string, records: readonly TimedRunRecord[]): Promise<void> {
  const key = lastDelegated(records)?.key;
  for (const mark of key === undefined ? [verifyMark] : [key, verifyMark]) {
    await endProcesses({ mark: { FIXPOINT_SPEC: specFolder, FIXPOINT_KEY: mark } });
  }
}
