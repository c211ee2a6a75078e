import { join } from "node:path";
import { FixpointError, InputError } from "../../model/errors.ts";
import type { FailureRecovery } from "./failure-recovery.ts";
import { readSettings } from "./settings-file.ts";

const name = "state.yaml";

/**
 * The limits in the `failure_recovery` of another system's `state.yaml`. The first file that has one counts: in the
 * spec's folder, in the workspace, or where that system keeps its own. Files without it belong to others.
 *
 * @throws {InputError} `yaml-malformed`
 * @throws {EnvironmentError} `file-refused`
 */
export async function readStateLimits(specFolder: string, workspace: string): Promise<FailureRecovery["limits"]> {
  const places = [
    [specFolder, name],
    [workspace, name],
    [workspace, join(".claude", "smart-ralph", name)],
  ] as const;
  for (const [folder, place] of places) {
    const path = join(folder, place);
    const text = readSettings(path, folder, (expected) => malformed(path, expected));
    if (text?.includes("failure_recovery") === true) return limitsIn(path, text);
  }
  return {};
}

async function limitsIn(path: string, text: string): Promise<FailureRecovery["limits"]> {
  // Loading it takes time, and most workspaces have no such file.
  const { readRecoveryLimits } = await import("./failure-recovery.ts");
  try {
    return readRecoveryLimits(text);
  } catch (cause) {
    if (!(cause instanceof FixpointError)) throw cause;
    throw malformed(path, cause.message.replace(/^Cannot (?:use|read) /, ""), cause);
  }
}

const malformed = (path: string, reason: string, cause?: unknown): InputError =>
  new InputError(`Cannot use \`${path}\`: ${reason}`, {
    code: "yaml-malformed",
    hint: "Mend it, or take it away to use the options of fixpoint alone",
    cause,
  });
