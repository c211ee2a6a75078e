import { endProcesses } from "../../../adapters/processes/end-processes.ts";
import { redactSecrets } from "../../../adapters/processes/redact-secrets.ts";
import { shell } from "../../../adapters/shell.ts";
import type { Shell } from "../../../ports/shell.ts";
import { redactResults } from "../executors/redact-replies.ts";
import type { Start } from "./start.ts";

/**
 * A shell for the commands of a run, whose results hold no secrets. It remembers which commands there are: since
 * executors make some, what is looked at before they work has a shell of its own.
 *
 * @param outputs Folder in which outputs are kept.
 * @param checkFence Throws when the spec is held no more; called before a command begins.
 */
export const ownShell = (
  { workspace, spec }: Pick<Start, "workspace" | "spec">,
  outputs: string,
  checkFence: () => void,
): Shell =>
  redactResults(
    shell({
      workspace,
      outputFolder: outputs,
      env: { FIXPOINT_SPEC: spec.folder, FIXPOINT_KEY: verifyMark },
      checkFence,
    }),
    redactSecrets(process.env),
  );

/** What a Verify command is marked with, so that one left over by a killed coordinator is found. */
const verifyMark = "verify";

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
