import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type JournalMark, markOf } from "../../../adapters/journal/read-journal.ts";
import type { Lease, LeaseHolder } from "../../../adapters/lease/lease.ts";
import {
  isElsewhere,
  isOfEarlierBoot,
  locked,
  specHolder,
  takeSpecLease,
  takeWorkspaceLease,
  workspaceHolder,
} from "../../../adapters/lease/spec-lease.ts";
import { endProcesses } from "../../../adapters/processes/end-processes.ts";
import { whoSpeaks } from "../../../adapters/user/speaker.ts";
import { workspaceFolder } from "../../../adapters/user/user-folder.ts";
import { commandLine } from "../../../model/command-line.ts";
import { EnvironmentError } from "../../../model/errors.ts";
import { type SpecFolder, specAddress } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";

type Sharing = Pick<RunOptions, "shareWorkspace">;

/**
 * Refuse a start while another run works in the workspace, before the owner is asked for consent.
 *
 * @throws {EnvironmentError} `workspace-held`, `spec-locked`, `user-folder-unusable`
 */
export function refuseHeld({ folder }: SpecFolder, workspace: string, { shareWorkspace = false }: Sharing): void {
  const holder = workspaceHolder(workspaceFolder(workspace), { spec: folder, shared: shareWorkspace });
  if (holder !== null && !isCaller(holder, folder)) throw heldBy(holder, folder, workspace);
}

/** Whether the run of another spec started this process; if so, this run is part of that run's work. */
const isCaller = (holder: LeaseHolder, folder: string): boolean =>
  holder.spec !== folder && whoSpeaks({ spec: holder.spec, coordinator: holder }).call !== null;

/**
 * Lock the workspace for a run, so that no other run changes and commits the same files.
 *
 * @returns A function that releases the lock.
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

/** End the processes that a killed run of another spec left in this workspace, unless that spec has a new run. */
async function endOrphans(spec: string): Promise<void> {
  try {
    if (specHolder(join(spec, ".fixpoint")) !== null) return;
  } catch {
    // Treat a spec with an unreadable lease as a spec without a run.
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
    `Cannot work in \`${workspace}\`: a run of \`${name}\` works there (process ${pid}, since ${since})`,
    {
      code: "workspace-held",
      ways: [
        { say: pid === process.pid ? "Wait for that run to end" : `Wait for that run to end, or end it: ${stop}` },
        {
          say: "Or work there at the same time, if neither run changes what the other needs",
          words: ["--share-workspace"],
        },
      ],
    },
  );
}

/**
 * Take the lease of a spec after reading its journal. Fails if another process has written to the journal since: the
 * run number from that reading may be in use.
 *
 * @param mark End of the journal before it was read.
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`, `file-refused`
 */
export function holdSpec(
  { dataFolder }: Pick<SpecFolder, "dataFolder">,
  mark: JournalMark,
  { takeOver = false }: { readonly takeOver?: boolean | undefined } = {},
): Lease {
  const lease = takeSpecLease(dataFolder, { takeOver });
  try {
    const now = markOf(dataFolder);
    if (now.run === mark.run && now.segment === mark.segment && now.size === mark.size) return lease;
    throw new EnvironmentError("Cannot start on the spec: another process worked on it while this one was starting", {
      code: "spec-locked",
      hint: "Run again",
    });
  } catch (error) {
    lease.release();
    throw error;
  }
}

export function describeEnded(holder: LeaseHolder): string {
  const who = `process ${holder.pid}, which held it since ${new Date(holder.at).toISOString()}`;
  if (isElsewhere(holder)) return `Took the spec over from ${who} on \`${holder.host}\``;
  return `Took the spec from ${who}: ${isOfEarlierBoot(holder) ? "the machine has rebooted since" : "it was killed"}`;
}

/** Other runs count as idle if a turn of the event loop takes less time than this, in milliseconds. */
const quietMs = 2;

/** Maximum number of turns of the event loop to wait, however busy other runs are. */
const mostTurns = 200;

let last: Promise<void> = Promise.resolve();

/**
 * Wait for earlier starts in this process, and until other runs are idle. A start blocks the event loop for several
 * milliseconds, which would delay answers of other runs' executors.
 */
export function takeTurn(): Promise<void> {
  last = last.then(waitForQuiet);
  return last;
}

async function waitForQuiet(): Promise<void> {
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const before = performance.now();
    await setImmediate();
    if (performance.now() - before < quietMs) return;
  }
}
