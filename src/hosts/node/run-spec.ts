import { resolve } from "node:path";
import { fileStore } from "../../adapters/documents/file-store.ts";
import { findReport } from "../../adapters/documents/report-file.ts";
import { readStateFile, stateCorrupt } from "../../adapters/documents/state-file.ts";
import { makeDataFolder } from "../../adapters/files/data-folder.ts";
import { repositoryOf } from "../../adapters/git/repository-of.ts";
import { openJournal } from "../../adapters/journal/journal.ts";
import type { Trouble } from "../../adapters/presets/setup/tool-surroundings.ts";
import { checkCommands } from "../../adapters/processes/shell-command.ts";
import { stopNote } from "../../adapters/user/note-file.ts";
import { pauseFile } from "../../adapters/user/pause-file.ts";
import { openHead } from "../../adapters/user/run-head.ts";
import { commandLine, type SpecAddress, tellWays } from "../../model/command-line.ts";
import { InputError } from "../../model/errors.ts";
import type { RunEnded, RunEvent, TimedRunEvent } from "../../model/event.ts";
import { planWithout } from "../../model/left-out.ts";
import { nextTask, type Plan } from "../../model/plan.ts";
import type { Policy } from "../../model/policy.ts";
import type { Role } from "../../model/role.ts";
import { escalates, type Rung, tellLadderChange } from "../../model/rung.ts";
import { tellDamage } from "../../model/status.ts";
import { takeOver } from "../../model/take-over.ts";
import type { TaskId } from "../../model/task-id.ts";
import { mayBeMended } from "../../runtime/find-mended.ts";
import { goOn } from "../../runtime/go-on.ts";
import { type Origin, originOf, stillLimited } from "../../start/origin.ts";
import { tidyUp } from "./cleanup/old-runs.ts";
import { settleConsent } from "./consent/agree.ts";
import { messageIn, senderOf } from "./consent/own-gate.ts";
import { ownerRecord } from "./consent/owner-record.ts";
import { readRunData } from "./consent/read-run-data.ts";
import { refuseFull } from "./consent/refuse-full.ts";
import { hashOf, type VerifyCommands, verifyCommands } from "./consent/verify-commands.ts";
import { checkChoices } from "./executors/check-choices.ts";
import { mendingOf } from "./executors/executor-call.ts";
import { checkExecutors } from "./executors/resolve-executors.ts";
import { findSpec, type SpecFolder } from "./find-spec.ts";
import type { RunOptions } from "./run-options.ts";
import { specAddress } from "./spec-address.ts";
import { refuseProblems } from "./start/check-plan.ts";
import { completeBefore, gateBefore, isNothingOpen } from "./start/early-end.ts";
import type { Start } from "./start/start.ts";
import { startHost } from "./start-host.ts";

/**
 * Run a spec to its outcome, or go on with a run of it.
 *
 * All input is checked before anything is written. A run that was stopped or killed goes on where it was. It ends at a
 * gate when the owner first has to agree to something that is new since the last start.
 *
 * @throws {InputError} the plan, the options or the state cannot be used; `consent-missing`
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`, `spec-taken-over`, `run-data-removed`,
 *   `file-refused`, `file-system-unsuited`, `user-folder-unusable`
 * @see docs/embedding.md
 */
export async function runSpec(options: RunOptions): Promise<RunEnded> {
  checkChoices(options.executors);
  const workspace = resolve(options.workspace ?? process.cwd());
  const spec = findSpec(options.spec, workspace);
  const address = options.address ?? specAddress(spec, { cwd: workspace });
  senderOf(spec, messageIn(options));
  const emit = (event: RunEvent): void => {
    const { type, ...facts } = event;
    const timed = { type, at: new Date().toISOString(), ...facts } as TimedRunEvent;
    try {
      options.onEvent?.(timed);
    } catch (error) {
      // A listener's error is not the run's. It is thrown where nobody catches it.
      queueMicrotask(() => {
        throw error;
      });
    }
  };
  const data = readRunData(spec, options, () => ownerRecord(spec, workspace));
  const { reading, owner } = data;
  const state = readStateFile(spec.statePath);
  if (state.kind === "corrupt" && reading.segments.length === 0) throw stateCorrupt(spec.statePath, state.cause);
  let fence = (): void => {};
  const documents = fileStore({ ...spec, workspace, checkFence: () => fence() });
  const opened = await documents.read();
  refuseProblems(opened.plan, spec);
  const isFirst = state.kind === "read" && reading.segments.length === 0;
  const taken = isFirst ? takeOver(state.state, opened.plan) : undefined;
  const recalled = data.newRun === null ? data.recalled : { state: null, diverged: null };
  const origin = originOf(reading, options, opened.plan, { taken, newRun: data.newRun, state: recalled.state });
  if (isNothingOpen({ options, origin, data }, opened.plan)) {
    const complete = completeBefore(opened.plan, reading);
    tellStart({ emit, spec, plan: opened.plan, origin });
    emit({ type: "notice", message: `${spec.name} is complete: no task is open` });
    emit(complete);
    return complete;
  }
  if (options.resume === true && origin.fresh && data.state !== "lost") throw nothingToResume(spec, address);
  if (!origin.fresh && recalled.diverged !== null) throw recalled.diverged;
  refuseFull(origin, owner, options);
  const verify = await verifyCommands(opened.plan, documents);
  const announce = (plan: Plan, skipped: Iterable<TaskId> = []): void => {
    tellStart({ emit, spec, plan, skipped, origin });
    const { recoveryBefore, policy } = origin;
    const change = recoveryBefore && tellLadderChange(recoveryBefore, policy.recovery);
    if (change !== null) emit({ type: "notice", message: change });
    if (reading.damaged !== undefined) emit({ type: "notice", message: tellDamage(reading.damaged) });
    if (origin.fresh)
      for (const message of tellUnverified(plan, origin.policy, verify, address)) emit({ type: "notice", message });
  };
  const runsVerify = !origin.policy.trustExecutor && opened.plan.tasks.some(({ done }) => !done);
  const agreed = runsVerify ? verify : null;
  const consent = await settleConsent({ owner, data, plan: opened.plan, origin, verify: agreed, options, address });
  if (consent.question !== null) {
    announce(opened.plan);
    const gate = gateBefore(consent.question, opened.plan, address, origin);
    emit(gate);
    return gate;
  }
  const planHash = hashOf(opened.text);
  const limited = stillLimited(origin, planHash);
  if (limited && !mayBeMended({ options, origin }, opened.plan)) {
    announce(opened.plan);
    const again = (origin.ended as NonNullable<Origin["ended"]>).ending;
    emit(again);
    return again;
  }
  if (origin.policy.commit !== false || origin.policy.requireCommit) await repositoryOf(workspace, spec.folder);
  const place = { folder: spec.folder, workspace, path: origin.policy.stuckReport };
  if (escalates(origin.policy)) findReport(place);
  const commands = [...verify.commands, ...verify.reality];
  const { permissions } = origin.policy;
  const onLeftOut = (role: Role | Rung, reason: string) =>
    emit({ type: "notice", message: `${reason}: left out as ${role}` });
  const onDoubt = (doubt: Trouble) => emit({ type: "notice", message: tellDoubt(doubt, address) });
  const executors = checkExecutors(options.executors, { workspace, permissions, commands, onLeftOut, onDoubt });
  for (const rung of Object.keys(executors.rungs ?? {}) as Rung[]) {
    if (!origin.policy.recovery.includes(rung)) emit({ type: "notice", message: unreached(rung) });
  }
  const { finalVerify } = origin.policy;
  const mayRun = runsVerify ? commands : [];
  checkCommands(finalVerify === null ? mayRun : [...mayRun, finalVerify], workspace);

  consent.agree(consent.current());
  makeDataFolder(spec.dataFolder);
  if (origin.fresh || data.state === "foreign" || data.state === "unverified") owner.begin(origin.run);
  const facts = { policy: origin.policy, planHash, open: origin.open, seed: origin.seed };
  const journal = openJournal(reading, origin.run, facts);
  fence = journal.checkFence;
  const head = openHead(owner.place, origin.run);
  try {
    if (data.state === "unverified") emit({ type: "notice", message: unverified(origin.run) });
    // A pause or stop that was asked for earlier no longer counts. Only the holder of the spec may drop it.
    pauseFile(spec.dataFolder).resume();
    stopNote(spec.dataFolder).remove();
    const { keepRuns } = options;
    if (origin.fresh && keepRuns !== undefined) tidyUp(spec.dataFolder, origin.run, keepRuns).forEach(emit);
    const chosen = { ...options, executors };
    const found = { options: chosen, workspace, spec, address, documents, reading, state, origin, commands };
    const start: Start = { ...found, limited, agreed, consent, emit, announce };
    return await goOn(start, startHost(start, journal, head));
  } finally {
    head.close();
    journal.close();
  }
}

const unreached = (rung: Rung): string =>
  `The executor for ${rung} is not asked: the recovery of this run has no ${rung}`;

/** Warn about tasks whose only evidence will be the executor's own claim. */
function tellUnverified(
  { tasks }: Plan,
  policy: Policy,
  { unrunnable }: VerifyCommands,
  address: SpecAddress,
): string[] {
  if (policy.trustExecutor) return [];
  const isNone = tasks.every(({ fields }) => fields.verify === undefined) && policy.finalVerify === null;
  const which = unrunnable === 1 ? "field cannot be run. See which" : "fields cannot be run. See which";
  return [
    ...(isNone ? ["No task of the plan has a Verify: a task counts as done when its executor says so"] : []),
    ...(unrunnable > 0 ? [`${unrunnable} Verify ${which}: ${commandLine(address, "lint")}`] : []),
  ];
}

/** Announce that a start begins, with this plan. */
function tellStart({
  emit,
  spec,
  plan,
  skipped = [],
  origin,
}: Pick<Start, "emit" | "spec" | "origin"> & { readonly plan: Plan; readonly skipped?: Iterable<TaskId> }): void {
  emit({
    type: "run.started",
    spec: spec.name,
    total: plan.tasks.length,
    completed: plan.tasks.filter(({ done }) => done).length,
    next: nextTask(planWithout(plan, skipped))?.current ?? null,
    policy: origin.policy,
    resumed: !origin.fresh,
  });
}

const tellDoubt = (doubt: Trouble, address: SpecAddress): string =>
  `${doubt.what}. To mend it: ${tellWays(mendingOf([doubt]), address)}`;

const unverified = (run: number): string =>
  `The run data of run ${run} is unverified: nothing is remembered here of how far it had come`;

const nothingToResume = ({ name }: SpecFolder, address: SpecAddress): InputError =>
  new InputError(`Cannot resume \`${name}\`, expected a run that was stopped`, {
    code: "nothing-to-resume",
    hint: `Begin one: ${commandLine(address, "run")}`,
  });
