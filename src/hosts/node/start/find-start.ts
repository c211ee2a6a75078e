import { resolve } from "node:path";
import { fileStore } from "../../../adapters/documents/file-store.ts";
import { readStateFile, type StateReading, stateCorrupt } from "../../../adapters/documents/state-file.ts";
import { findRepository } from "../../../adapters/git/find-repository.ts";
import { type Programs, programsOf, readPrograms } from "../../../adapters/git/repository-programs.ts";
import type { SegmentFence } from "../../../adapters/journal/segment-fence.ts";
import type { SpecAddress } from "../../../model/command-line.ts";
import { takeOver } from "../../../model/take-over.ts";
import type { Documents, OpenPlan } from "../../../ports/documents.ts";
import { type Origin, originOf } from "../../../start/origin.ts";
import { messageIn, senderOf } from "../consent/own-gate.ts";
import { ownerRecord } from "../consent/owner-record.ts";
import { type RunData, readRunData } from "../consent/read-run-data.ts";
import { type VerifyCommands, verifyCommands } from "../consent/verify-commands.ts";
import { findSpec, type SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";
import { specAddress } from "../spec-address.ts";
import { refuseProblems } from "./check-plan.ts";
import { programKinds } from "./commit-guard.ts";
import { isNothingOpen } from "./early-end.ts";

/** What a start finds. Nothing is written yet, and nobody asked. */
export interface FoundStart {
  /** Absolute. */
  readonly workspace: string;
  readonly spec: SpecFolder;
  readonly address: SpecAddress;
  readonly data: RunData;
  readonly state: StateReading;
  readonly documents: Documents;
  /** Has the documents ask this before they write; until then they ask nobody. */
  readonly fenceWith: (fence: SegmentFence) => void;
  readonly opened: OpenPlan;
  readonly origin: Origin;
  /** Programs that the configuration of the repository has git run for this run. */
  readonly programs: Programs;
  /** Whether there is nothing to do. */
  readonly isComplete: boolean;
}

/**
 * Read what is there of a spec and its runs, and where a start goes on from.
 *
 * @throws {InputError} the plan, the options or the state cannot be used
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`, `file-refused`, `user-folder-unusable`
 */
export async function findStart(options: RunOptions): Promise<FoundStart> {
  const workspace = resolve(options.workspace ?? process.cwd());
  const spec = findSpec(options.spec, workspace);
  const address = options.address ?? specAddress(spec, { cwd: workspace });
  senderOf(spec, messageIn(options));
  const data = await readRunData(spec, options, () => ownerRecord(spec, workspace));
  const { reading, newRun } = data;
  const state = readStateFile(spec.statePath);
  if (state.kind === "corrupt" && reading.segments.length === 0) throw stateCorrupt(spec.statePath, state.cause);
  let fence: SegmentFence | null = null;
  const documents = fileStore({
    ...spec,
    workspace,
    checkFence: () => fence?.checkFence(),
    checkHeld: () => fence?.checkHeld(),
  });
  const opened = await documents.read();
  refuseProblems(opened.plan, spec);
  const isFirst = state.kind === "read" && reading.segments.length === 0;
  const taken = isFirst ? takeOver(state.state, opened.plan) : undefined;
  const recalled = newRun === null ? data.recalled.state : null;
  const origin = originOf(reading, options, opened.plan, { taken, newRun, state: recalled });
  const isComplete = origin.policy.pullRequest === undefined && isNothingOpen({ options, origin, data }, opened.plan);
  const programs = isComplete ? {} : await findPrograms(workspace, origin);
  const fenceWith: FoundStart["fenceWith"] = (opened) => {
    fence = opened;
  };
  return { workspace, spec, address, data, state, documents, fenceWith, opened, origin, programs, isComplete };
}

async function findPrograms(workspace: string, { policy }: Origin): Promise<Programs> {
  if (findRepository(workspace) === null) return {};
  const found = await readPrograms(workspace);
  // What git does not read it does not run.
  return "end" in found ? {} : programsOf(found.programs, programKinds(policy));
}

/** The commands that a start would run; `agreed` is null when it runs none. */
export async function findCommands({
  opened: { plan },
  origin,
  documents,
}: Pick<FoundStart, "opened" | "origin" | "documents">): Promise<{
  readonly verify: VerifyCommands;
  readonly agreed: VerifyCommands | null;
}> {
  const verify = await verifyCommands(plan, documents);
  const runsVerify = !origin.policy.trustExecutor && plan.tasks.some(({ done }) => !done);
  return { verify, agreed: runsVerify ? verify : null };
}
