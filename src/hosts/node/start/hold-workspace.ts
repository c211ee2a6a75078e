import { basename, join } from "node:path";
import { readJournal } from "../../../adapters/journal/read-journal.ts";
import { endProcesses } from "../../../adapters/processes/end-processes.ts";
import { findCall } from "../../../adapters/user/speaker.ts";
import { workspaceFolder } from "../../../adapters/user/user-folder.ts";
import { claimWorkspace, otherHolder, type WorkspaceHolder } from "../../../adapters/user/workspace-claim.ts";
import { commandLine } from "../../../model/command-line.ts";
import { EnvironmentError } from "../../../model/errors.ts";
import type { SpecFolder } from "../find-spec.ts";
import { holderElsewhere, holderOf } from "../reading/recorded-starts.ts";
import type { RunOptions } from "../run-options.ts";
import { specAddress } from "../spec-address.ts";

type Sharing = Pick<RunOptions, "shareWorkspace">;

/**
 * Refuse while the run of another spec works in the workspace, before anybody is asked anything.
 *
 * @throws {EnvironmentError} `workspace-held`, `user-folder-unusable`
 */
export function refuseHeld({ folder }: SpecFolder, workspace: string, { shareWorkspace = false }: Sharing): void {
  const holder = shareWorkspace ? null : otherHolder(workspaceFolder(workspace), folder);
  if (holder !== null && !isCaller(holder)) throw workspaceHeld(workspace, holder);
}

/** Whether this very process was called by the run that works there: then it does a part of that run's work. */
const isCaller = ({ spec }: WorkspaceHolder): boolean => findCall(spec) !== null;

/**
 * Hold the workspace for a run, so that no other spec's run changes and commits the same files.
 *
 * @returns Lets go of it.
 * @throws {EnvironmentError} `workspace-held`, `user-folder-unusable`, `file-refused`
 */
export async function holdWorkspace(
  { folder }: SpecFolder,
  workspace: string,
  { shareWorkspace = false }: Sharing,
): Promise<() => void> {
  const place = workspaceFolder(workspace);
  const holder = otherHolder(place, folder);
  const claim = claimWorkspace(place, folder, shareWorkspace || (holder !== null && isCaller(holder)));
  if (claim.holder !== null) throw workspaceHeld(workspace, claim.holder);
  try {
    for (const spec of new Set(claim.killed)) if (spec !== folder) await endOrphans(spec);
    return claim.release;
  } catch (error) {
    claim.release();
    throw error;
  }
}

/** End what a killed run of another spec has left at work here, unless that spec is run elsewhere by now. */
async function endOrphans(spec: string): Promise<void> {
  try {
    const reading = readJournal(join(spec, ".fixpoint"));
    if (holderOf(reading) !== null || holderElsewhere(reading) !== null) return;
  } catch {
    // Nobody can run a spec whose journal cannot be read.
  }
  await endProcesses({ mark: { FIXPOINT_SPEC: spec } });
}

function workspaceHeld(workspace: string, { spec, pid, at }: WorkspaceHolder): EnvironmentError {
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
