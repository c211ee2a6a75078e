import { endProcesses } from "../../adapters/end-processes.ts";
import type { TimedRunRecord } from "../../model/record.ts";
import { leftBehind } from "./in-flight.ts";

/** What a Verify command is marked with, so that one left over by a killed coordinator is found. */
export const verifyMark = "verify";

/** End the executors or the Verify command that a killed coordinator left working. */
export async function endLeftovers(specFolder: string, records: readonly TimedRunRecord[]): Promise<void> {
  for (const mark of [...leftBehind(records), verifyMark]) {
    await endProcesses({ mark: { FIXPOINT_SPEC: specFolder, FIXPOINT_KEY: mark } });
  }
}
