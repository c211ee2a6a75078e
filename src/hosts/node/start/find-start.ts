import { resolve } from "node:path";
import { fileStore } from "../../../adapters/documents/file-store.ts";
import { readStateFile, type StateReading, stateCorrupt } from "../../../adapters/documents/state-file.ts";
import { type SpecFiles, specFiles } from "../../../adapters/files/spec-files.ts";
import { type Programs, programsOf, readPrograms } from "../../../adapters/git/call-git.ts";
import { findRepository } from "../../../adapters/git/find-repository.ts";
import type { JournalReading } from "../../../adapters/journal/read-journal.ts";
import { renderActions, type SpecAddress } from "../../../model/command-line.ts";
import { InputError, type WayOn } from "../../../model/errors.ts";
import { exitCodes, type RunEnded } from "../../../model/event.ts";
import { isPerson, type Speaker } from "../../../model/person-event.ts";
import { countTasks, type Plan } from "../../../model/plan.ts";
import { takeOver } from "../../../model/run-seed.ts";
import type { Documents, OpenPlan } from "../../../ports/documents.ts";
import { resolveStart, type StartPoint } from "../../../run/resolve-start.ts";
import { lastTold } from "../../../runtime/recorded-run.ts";
import { renderItems } from "../../../wording/render-items.ts";
import { messageIn, senderOf } from "../consent/own-gate.ts";
import { ownerRecord } from "../consent/owner-record.ts";
import { type RunData, readRunData } from "../consent/read-run-data.ts";
import { runsTheSame, type VerifyCommands, verifyCommands } from "../consent/verify-commands.ts";
import { findSpec, type SpecFolder, specAddress } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";
import { programKinds } from "./commit-guard.ts";
import { withProjectCheck } from "./find-project-check.ts";
import type { Start } from "./start.ts";

/** Everything read for a start, before anything is written or asked. */
export interface FoundStart {
  /** Absolute. */
  readonly workspace: string;
  readonly spec: SpecFolder;
  readonly by: Speaker;
  readonly address: SpecAddress;
  readonly data: RunData;
  readonly state: StateReading;
  readonly documents: Documents;
  /** Writers of the documents; once the start holds the lease, they check the lease before each write. */
  readonly files: SpecFiles;
  readonly opened: OpenPlan;
  readonly origin: StartPoint;
  readonly programs: Programs;
  readonly isComplete: boolean;
}

/**
 * Read a spec and its run data, and find where a start resumes.
 *
 * @throws {InputError} if the plan, the options or the state cannot be used
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`, `file-refused`, `user-folder-unusable`
 */
export async function findStart(options: RunOptions): Promise<FoundStart> {
  const workspace = resolve(options.workspace ?? process.cwd());
  const spec = findSpec(options.spec, workspace);
  const address = options.address ?? specAddress(spec, { cwd: workspace });
  const found = senderOf(spec, messageIn(options), undefined, options.speaker);
  const by = isPerson(options.speaker) ? (options.speaker as Speaker) : found;
  const data = await readRunData(spec, options, () => ownerRecord(spec, workspace));
  const { reading, newRun } = data;
  const state = readStateFile(spec.statePath);
  if (state.kind === "corrupt" && reading.segments.length === 0) throw stateCorrupt(spec.statePath, state.cause);
  const files = specFiles(spec.dataFolder);
  const documents = fileStore({ ...spec, workspace, files });
  const opened = await documents.read();
  refuseProblems(opened.plan, spec);
  const isFirst = state.kind === "read" && reading.segments.length === 0;
  const taken = isFirst ? takeOver(state.state, opened.plan) : undefined;
  const recalled = newRun === null ? data.recalled.state : null;
  const begun = resolveStart(reading, options, opened.plan, { taken, newRun, state: recalled });
  const agreed = data.owner.agreement?.verify ?? [];
  const origin = withProjectCheck(begun, opened.plan, { options, agreed, workspace, folder: spec.folder });
  const isComplete = origin.policy.pullRequest === undefined && isNothingOpen({ options, origin, data }, opened.plan);
  const programs = isComplete ? {} : await findPrograms(workspace, origin);
  return { workspace, spec, by, address, data, state, documents, files, opened, origin, programs, isComplete };
}

async function findPrograms(workspace: string, { policy }: StartPoint): Promise<Programs> {
  if (findRepository(workspace) === null) return {};
  const found = await readPrograms(workspace);
  // If git cannot read its configuration, git does not run the programs in the configuration.
  return "end" in found ? {} : programsOf(found.programs, programKinds(policy));
}

/** Find the commands that a start would run; `agreed` is null when it runs none. */
export async function findCommands({
  opened: { plan },
  origin,
  documents,
}: Pick<FoundStart, "opened" | "origin" | "documents">): Promise<{
  readonly verify: VerifyCommands;
  readonly agreed: VerifyCommands | null;
}> {
  const verify = await verifyCommands(plan, documents, origin.policy.verify);
  const runsVerify = !origin.policy.trustExecutor && plan.tasks.some(({ done }) => !done);
  return { verify, agreed: runsVerify ? verify : null };
}

/**
 * Refuse a plan that a run cannot follow.
 *
 * @throws {InputError} `plan-refused`
 */
function refuseProblems({ problems }: Plan, { tasksPath }: SpecFolder): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const list = errors.map(({ line, rule, message }) => `  line ${line} ${rule}: ${message}`).join("\n");
  throw new InputError(`Cannot run the plan at ${tasksPath}:\n${list}`, {
    code: "plan-refused",
    hint: errors[0]?.hint ?? "Fix these lines, then run again",
  });
}

/**
 * Check the plan again while holding the lease, since it may have changed after the first check.
 *
 * @throws {InputError} `plan-refused`, `plan-changed`
 */
export async function checkPlan(
  plan: Plan,
  { spec, agreed, documents, origin }: Pick<Start, "spec" | "agreed" | "documents" | "origin">,
): Promise<void> {
  refuseProblems(plan, spec);
  if (agreed === null || runsTheSame(await verifyCommands(plan, documents, origin.policy.verify), agreed)) return;
  throw new InputError("Cannot begin: the Verify commands of the plan were changed after they were read", {
    code: "plan-changed",
    hint: "Run again: the current commands are shown first",
  });
}

/** Whether a start would begin a run with nothing to do. A pending final check counts as something to do. */
function isNothingOpen(
  {
    options,
    origin,
    data: { state, reading },
  }: { readonly options: RunOptions; readonly origin: StartPoint; readonly data: RunData },
  { tasks }: Plan,
): boolean {
  if (!origin.fresh || options.newRun === true || (state !== "own" && state !== "over")) return false;
  const { finalVerify } = origin.policy;
  const isChecked = finalVerify === null || reading.segments.at(-1)?.header.policy.finalVerify === finalVerify;
  return isChecked && tasks.length > 0 && tasks.every(({ done }) => done);
}

/**
 * Ending of a start with no open task: the ending of the previous run if that run was complete, otherwise a new ending.
 */
export function completeBefore({ tasks }: Plan, reading: JournalReading): RunEnded {
  const last = lastTold(reading.records);
  if (last?.type === "ended" && last.ending.outcome === "complete") return last.ending;
  return {
    type: "run.ended",
    outcome: "complete",
    exitCode: exitCodes.complete,
    ...countTasks(tasks, addedIn(reading)),
    attempts: 0,
    skipped: [],
    tickedByHand: tasks.length,
    durationMs: 0,
  };
}

const addedIn = ({ records }: JournalReading): string[] =>
  records.flatMap((record) => (record.type === "addition" ? record.plan.tasks.map(({ id }) => id) : []));

export function gateBefore(
  { text, items, ways }: { readonly text: string; readonly items: readonly string[]; readonly ways: readonly WayOn[] },
  { tasks }: Plan,
  address: SpecAddress,
  { state, seed }: Pick<StartPoint, "state" | "seed">,
): RunEnded {
  return {
    type: "run.ended",
    outcome: "gate",
    exitCode: exitCodes.gate,
    ...countTasks(tasks, Object.keys(state?.pullRequest?.tasks ?? {})),
    attempts: (state ?? seed).iterations,
    skipped: [],
    tickedByHand: 0,
    durationMs: 0,
    error: `${text}\n${renderItems(items)}`,
    hint: renderActions(ways, address),
  };
}
