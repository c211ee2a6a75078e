import { notifyMark } from "../../../adapters/notify-command.ts";
import { endProcesses } from "../../../adapters/processes/end-processes.ts";
import { redactSecrets } from "../../../adapters/processes/redact-secrets.ts";
import { shell } from "../../../adapters/shell.ts";
import type { Shell } from "../../../ports/shell.ts";
import { redactResults } from "../executors/redact-replies.ts";
import type { Start } from "./start.ts";

/**
 * A shell for the commands of a run, without secrets in its results. It remembers which programs exist. Executors
 * install some, so checks before they work need another shell.
 *
 * @param outputs Folder for the outputs.
 * @param checkFence Throws when this coordinator no longer holds the spec; called before a command begins.
 */
export const ownShell = (
  { workspace, spec, origin }: Pick<Start, "workspace" | "spec" | "origin">,
  outputs: string,
  checkFence: () => void,
): Shell =>
  redactResults(
    shell({
      workspace,
      outputFolder: outputs,
      env: { FIXPOINT_SPEC: spec.folder, FIXPOINT_KEY: verifyMark },
      checkFence,
      ...(origin.policy.maxOutput !== null && { outputCapBytes: origin.policy.maxOutput }),
    }),
    redactSecrets(process.env),
  );

/** The mark of Verify commands in their environment, by which one that a killed coordinator left is found. */
const verifyMark = "verify";

/**
 * End what a killed coordinator left working: executors, a Verify command, or the command that a person is told by.
 *
 * @param calls Keys of the executors.
 */
export async function endLeftovers(specFolder: string, calls: readonly string[]): Promise<void> {
  for (const mark of [...calls.map(keyMark), keyMark(verifyMark), notifyMark]) {
    await endProcesses({ mark: { FIXPOINT_SPEC: specFolder, ...mark } });
  }
}

const keyMark = (key: string) => ({ FIXPOINT_KEY: key });
