import { basename, join } from "node:path";
import type { LeaseHolder } from "../../../adapters/lease/lease-folder.ts";
import { locked, specHolder } from "../../../adapters/lease/spec-lease.ts";
import { endProcesses } from "../../../adapters/processes/end-processes.ts";
import { whoSpeaks } from "../../../adapters/user/speaker.ts";
import { workspaceFolder } from "../../../adapters/user/user-folder.ts";
import { takeWorkspaceLease, workspaceHolder } from "../../../adapters/user/workspace-lease.ts";
import { commandLine } from "../../../model/command-line.ts";
import { EnvironmentError } from "../../../model/errors.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";
import { specAddress } from "../spec-address.ts";

type Sharing = Pick<RunOptions, "shareWorkspace">;

/**
 * Refuse while another run works in the workspace, before the owner is asked for consent.
 *
 * @throws {EnvironmentError} `workspace-held`, `spec-locked`, `user-folder-unusable`
 */
export function refuseHeld({ folder }: SpecFolder, workspace: string, { shareWorkspace = false }: Sharing): void {
  const holder = workspaceHolder(workspaceFolder(workspace), { spec: folder, shared: shareWorkspace });
  if (holder !== null && !isCaller(holder, folder)) throw heldBy(holder, folder, workspace);
}

/** Whether the run of another spec called this process: then it does a part of that run's work. */
const isCaller = (holder: LeaseHolder, folder: string): boolean =>
  holder.spec !== folder && whoSpeaks({ spec: holder.spec, coordinator: holder }).call !== null;

/**
 * Hold the workspace for a run, so that no other run changes and commits the same files.
 *
 * @returns Releases it.
 * @throws {EnvironmentError} `workspace-held`, `spec-locked`, `user-folder-unusable`, `file-refused`
 */
export async function holdWorkspace(
  { folder }: SpecFolder,
  workspace: string,
  { shareWorkspace = false }: Sharing,
): Promise<() => void> {
  const place = workspaceFolder(workspace);
  const holder = workspaceHolder(place, { spec: folder, shared: shareWorkspace });
  const shared = shareWorkspace || (holder !== null && isCaller(holder, folder));
  const lease = takeWorkspaceLease(place, { spec: folder, shared });
  if (!("release" in lease)) throw heldBy(lease, folder, workspace);
  try {
    for (const spec of new Set(lease.ended.map((each) => each.spec))) if (spec !== folder) await endOrphans(spec);
    return lease.release;
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** End the processes that a killed run of another spec left at work here, unless that spec is run elsewhere by now. */
async function endOrphans(spec: string): Promise<void> {
  try {
    if (specHolder(join(spec, ".fixpoint")) !== null) return;
  } catch {
    // No process can run a spec whose lease cannot be read.
  }
  await endProcesses({ mark: { FIXPOINT_SPEC: spec } });
}

const heldBy = (holder: LeaseHolder, folder: string, workspace: string): EnvironmentError =>
  holder.spec === folder ? locked(holder) : workspaceHeld(workspace, holder);

function workspaceHeld(workspace: string, { spec, pid, at }: LeaseHolder): EnvironmentError {
  const name = basename(spec);
  const since = new Date(at).toISOString();
  const stop = commandLine(specAddress({ folder: spec, name }), "stop");
  return new EnvironmentError(
    `Cannot work in \`${workspace}\`, a run of \`${name}\` works there (process ${pid}, since ${since})`,
    {
      code: "workspace-held",
      ways: [
        { say: pid === process.pid ? "Wait for it to end" : `Wait for it to end, or end it: ${stop}` },
        { say: "Or work there beside it, if neither changes what the other needs", words: ["--share-workspace"] },
      ],
    },
  );
}
