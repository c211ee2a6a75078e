import { endProcesses } from "../../adapters/end-processes.ts";

/** What a Verify command is marked with, so that one left over by a killed coordinator is found. */
export const verifyMark = "verify";

/**
 * End the executors or the Verify command that a killed coordinator left working.
 *
 * @param calls Keys of the executors.
 */
export async function endLeftovers(specFolder: string, calls: readonly string[]): Promise<void> {
  for (const mark of [...calls, verifyMark]) {
    await endProcesses({ mark: { FIXPOINT_SPEC: specFolder, FIXPOINT_KEY: mark } });
  }
}
