import { findReport } from "../../adapters/documents/file-store.ts";
import { checkIdentity, repositoryOf } from "../../adapters/git/read-head.ts";
import { openJournal } from "../../adapters/journal/journal.ts";
import type { Lease } from "../../adapters/lease/lease.ts";
import { endProcesses } from "../../adapters/processes/end-processes.ts";
import { checkCommands } from "../../adapters/processes/shell-command.ts";
import { forgetEndedCalls } from "../../adapters/user/call-record.ts";
import { openInbox } from "../../adapters/user/inbox.ts";
import { openHead } from "../../adapters/user/run-head.ts";
import { commandLine, type SpecAddress, withAnswer } from "../../model/command-line.ts";
import { InputError, type WayOn } from "../../model/errors.ts";
import type { RunEnded } from "../../model/event.ts";
import { escalates, type Rung } from "../../model/rung.ts";
import { type StartPoint, stillLimited } from "../../run/resolve-start.ts";
import { continueRun } from "../../runtime/continue-run.ts";
import { mayBeFixedManually } from "../../runtime/find-manual-fixes.ts";
import { tidyUp } from "./cleanup/old-runs.ts";
import { isAccepted, settleConsent } from "./consent/agree.ts";
import { hashOf } from "./consent/verify-commands.ts";
import { refuseProse, reportMissing } from "./doctor/check-verify.ts";
import { checkChoices } from "./executors/executor-call.ts";
import { checkExecutors, refuseUnheld } from "./executors/resolve-executors.ts";
import type { SpecFolder } from "./find-spec.ts";
import { refuseHandedOut } from "./hand-out/hand-out.ts";
import type { RunOptions } from "./run-options.ts";
import {
  announceComplete,
  announceDoubt,
  announceMisread,
  announcer,
  emitterOf,
  unfit,
  unreached,
  unverified,
} from "./start/announce.ts";
import { checkAnswer, checkForms, refuseFull } from "./start/check-forms.ts";
import { checkFresh } from "./start/check-fresh.ts";
import { commitGuard } from "./start/commit-guard.ts";
import { emitTelemetry } from "./start/emit-telemetry.ts";
import { type FoundStart, findCommands, findStart, gateBefore } from "./start/find-start.ts";
import { describeEnded, holdSpec, holdWorkspace, refuseHeld, takeTurn } from "./start/hold-workspace.ts";
import { notifyPerson } from "./start/notify-person.ts";
import { checkWorktrees } from "./start/open-worktrees.ts";
import { discardStale } from "./start/poll-inbox.ts";
import { prepareShipping } from "./start/prepare-shipping.ts";
import type { Start } from "./start/start.ts";
import { startHost } from "./start-host.ts";

/**
 * Run a spec to its outcome, or resume its run.
 *
 * All input is checked before anything is written. A run that was stopped or killed resumes where it ended. A run ends
 * at a gate when the owner first has to agree to something that is new since the last start.
 *
 * @throws {InputError} if the plan, the options or the state cannot be used; `consent-missing`
 * @throws {EnvironmentError} `spec-locked`, `workspace-held`, `spec-on-other-host`, `spec-taken-over`,
 * `run-data-removed`, `file-refused`, `user-folder-unusable`
 * @see docs/agent.md
 */
export const runSpec = (options: RunOptions): Promise<RunEnded> => startSpec(options, () => {});

/** Like `runSpec`. @param admit Throws to refuse the found start before anything is decided. */
export async function startSpec(options: RunOptions, admit: (found: FoundStart) => void): Promise<RunEnded> {
  checkChoices(options.executors);
  checkForms(options);
  await takeTurn();
  const found = await findStart(options);
  admit(found);
  const emit = emitterOf(options);
  if (found.isComplete) return announceComplete(found, emit);
  refuseStart(found, options);
  const settled = await settleStart(found, options, emit);
  if ("type" in settled) return settled;
  await checkPlace(found, options);
  const executors = checkPrograms(found, settled, options);
  const { workspace, spec, files, address, data, documents, state, origin } = found;
  const { reading } = data;
  const shipping = await prepareShipping(origin, { ...options, executors }, { workspace, spec, guard: settled.guard });
  const usable = { ...options, ...shipping?.ports, executors };
  const start: Start = {
    ...{ options: usable, workspace, spec, files, address, documents, reading, state, origin },
    ...settled,
  };
  const lease = holdSpec(spec, data.mark, options);
  try {
    const leave = await holdWorkspace(spec, workspace, options);
    try {
      await shipping?.begin();
      return await work(start, found, lease);
    } finally {
      leave();
    }
  } finally {
    lease.release();
  }
}

type Emit = Start["emit"];

/**
 * Refuse a start that cannot continue, before the owner is asked anything.
 *
 * @throws {InputError} `nothing-to-resume`, `nothing-to-decide`, `full-not-said`, `permissions-not-held`, and
 * errors about the run data
 * @throws {EnvironmentError} `workspace-held`, `spec-locked`
 */
function refuseStart(found: FoundStart, options: RunOptions): void {
  const { spec, workspace, address, origin, data } = found;
  if (options.resume === true && origin.fresh && data.state !== "lost") throw nothingToResume(spec, address);
  checkAnswer(spec, options, address, origin);
  if (!origin.fresh && data.recalled.diverged !== null) throw data.recalled.diverged;
  refuseFull(origin, data.owner, options);
  refuseUnheld(options.executors, origin.policy.permissions);
  refuseHandedOut(found, options);
  refuseHeld(spec, workspace, options);
}

type Settled = Pick<Start, "commands" | "limited" | "agreed" | "consent" | "guard" | "emit" | "announce">;

/**
 * Settle what a start may do: the commands it runs, where it commits, and whether a limit still stops it.
 *
 * @returns The ending if the owner has to decide first, or the limit of the last start is still reached.
 * @throws {InputError} `consent-missing`
 */
async function settleStart(found: FoundStart, options: RunOptions, emit: Emit): Promise<Settled | RunEnded> {
  const { workspace, spec, address, data, programs, origin, opened } = found;
  const { plan } = opened;
  const { reading, owner } = data;
  const { verify, agreed } = await findCommands(found);
  if (agreed !== null) await refuseProse(plan, spec.tasksPath, workspace);
  // Look for missing programs only when a run begins, since searching a long plan takes time.
  const looked = origin.fresh ? (agreed?.commands ?? []) : [];
  const missing = await reportMissing(plan, { commands: looked, workspace, address });
  const misread = origin.fresh ? announceMisread(opened, options, origin.policy, address) : [];
  const announce = announcer({ emit, spec, workspace, address, origin, owner, reading, verify }, { misread, missing });
  const endAtGate = (question: Parameters<typeof gateBefore>[0]): RunEnded => {
    announce(plan);
    if (options.accept !== undefined) emit({ type: "notice", message: unfit(options.accept) });
    const gate = gateBefore(question, plan, withAnswer(address, options), origin);
    emit(gate);
    return gate;
  };
  const consent = await settleConsent({ data, plan, origin, verify: agreed, programs, options });
  if (consent.question !== null) return endAtGate({ ...consent.question, ways: waysToAgree(consent.question.hash) });
  const tell = (message: string): void => emit({ type: "notice", message });
  const guard = commitGuard({ workspace, spec, origin, data, programs, tell });
  const moved = await guard.ask();
  if (moved !== null && !(await isAccepted(moved, options))) return endAtGate(moved);
  if (moved !== null) guard.agree();
  const limited = stillLimited(origin, hashOf(opened.text));
  if (limited && !mayBeFixedManually({ options, origin }, plan)) {
    announce(plan);
    const again = (origin.ended as NonNullable<StartPoint["ended"]>).ending;
    emit(again);
    return again;
  }
  return { commands: [...verify.commands, ...verify.reality], limited, agreed, consent, guard, emit, announce };
}

const waysToAgree = (hash: string): WayOn[] => [
  { say: "Look at what has changed, then agree", words: ["--accept", hash] },
  { say: "Or begin a new run", words: ["--new-run"] },
];

async function checkPlace({ workspace, spec, origin }: FoundStart, options: RunOptions): Promise<void> {
  const { policy } = origin;
  if (policy.commit !== false || policy.requireCommit) {
    await repositoryOf(workspace, spec.folder, isCommitKept(options, origin));
  }
  if (policy.commit !== false) await checkIdentity(workspace);
  checkFresh(workspace, policy);
  await checkWorktrees(workspace, policy);
  if (escalates(policy)) findReport({ folder: spec.folder, workspace, path: policy.stuckReport });
}

/**
 * Check the programs that the run starts: its executors, and its Verify commands if it executes any.
 *
 * @returns The executors that can work in the workspace.
 */
function checkPrograms(
  { workspace, address, origin: { policy } }: FoundStart,
  { commands, agreed, emit }: Settled,
  options: RunOptions,
): RunOptions["executors"] {
  const tell = (message: string): void => emit({ type: "notice", message });
  const executors = checkExecutors(options.executors, {
    ...{ workspace, permissions: policy.permissions, commands },
    onLeftOut: (role, reason) => tell(`${reason}: not used as ${role}`),
    onDoubt: (doubt) => tell(announceDoubt(doubt, address)),
  });
  for (const rung of Object.keys(executors.rungs ?? {}) as Rung[]) {
    if (!policy.recovery.includes(rung)) tell(unreached(rung));
  }
  const executed = [...(agreed === null ? [] : commands), ...(policy.finalVerify === null ? [] : [policy.finalVerify])];
  checkCommands(executed, workspace);
  return executors;
}

async function work(start: Start, { data, opened }: FoundStart, lease: Lease): Promise<RunEnded> {
  const { spec, files, origin, consent, guard, options, emit } = start;
  const { reading, owner } = data;
  for (const holder of lease.ended) emit({ type: "notice", message: describeEnded(holder) });
  if (lease.ended.length > 0) await endProcesses({ mark: { FIXPOINT_SPEC: spec.folder } });
  consent.agree(consent.current());
  if (origin.fresh || data.state === "foreign" || data.state === "unverified") owner.begin(origin.run);
  const { policy, open, seed } = origin;
  const facts = { policy, planHash: hashOf(opened.text), open, seed, ...(await guard.begin()) };
  const journal = openJournal(reading, origin.run, facts, lease);
  files.hold(journal);
  guard.keep(journal, files);
  const head = openHead(owner.place, origin.run);
  const notifier = notifyPerson(start);
  const telemetry = emitTelemetry(start);
  try {
    if (data.state === "unverified") emit({ type: "notice", message: unverified(origin.run) });
    forgetEndedCalls(spec.folder);
    const words = openInbox(owner.place);
    discardStale(words, origin.run, reading.records);
    const { keepRuns } = options;
    if (origin.fresh && keepRuns !== undefined) tidyUp(spec.dataFolder, origin.run, keepRuns).forEach(emit);
    const ended = await continueRun(start, startHost(start, { journal, head, words, notifier, telemetry }));
    telemetry.end(ended.outcome);
    return ended;
  } finally {
    telemetry.end(null);
    await notifier.stop();
    head.close();
    journal.close();
  }
}

/**
 * Whether a file or an earlier start has set `requireCommit`, so that later starts without the option require commits,
 * too.
 */
function isCommitKept({ policy = {}, fromFiles = {} }: RunOptions, { policy: wanted, before }: StartPoint): boolean {
  const isTyped = policy.requireCommit === true && fromFiles["requireCommit"] === undefined;
  return wanted.requireCommit && (!isTyped || before?.requireCommit === true);
}

const nothingToResume = ({ name }: SpecFolder, address: SpecAddress): InputError =>
  new InputError(`Cannot resume \`${name}\`, expected a run that was stopped`, {
    code: "nothing-to-resume",
    hint: `Begin one: ${commandLine(address, "run")}`,
  });
