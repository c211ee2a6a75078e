import { findReport } from "../../adapters/documents/file-store.ts";
import { checkIdentity, repositoryOf } from "../../adapters/git/read-head.ts";
import { openJournal } from "../../adapters/journal/journal.ts";
import type { Lease } from "../../adapters/lease/lease.ts";
import type { Trouble } from "../../adapters/presets/setup/tool-surroundings.ts";
import { endProcesses } from "../../adapters/processes/end-processes.ts";
import { checkCommands } from "../../adapters/processes/shell-command.ts";
import { forgetEndedCalls } from "../../adapters/user/call-record.ts";
import { openHead } from "../../adapters/user/run-head.ts";
import { wordBox } from "../../adapters/user/word-box.ts";
import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { InputError } from "../../model/errors.ts";
import type { RunEnded } from "../../model/event.ts";
import type { Role } from "../../model/role.ts";
import { escalates, type Rung } from "../../model/rung.ts";
import { type Origin, stillLimited } from "../../run/origin.ts";
import { mayBeMended } from "../../runtime/find-mended.ts";
import { goOn } from "../../runtime/go-on.ts";
import { tidyUp } from "./cleanup/old-runs.ts";
import { isAccepted, settleConsent } from "./consent/agree.ts";
import { hashOf } from "./consent/verify-commands.ts";
import { refuseProse, tellMissing } from "./doctor/check-verify.ts";
import { checkChoices } from "./executors/executor-call.ts";
import { checkExecutors } from "./executors/resolve-executors.ts";
import type { SpecFolder } from "./find-spec.ts";
import { refuseHandedOut } from "./hand-out/refuse-handed-out.ts";
import type { RunOptions } from "./run-options.ts";
import { announcer, emitterOf, tellDoubt, tellStart, unfit, unreached, unverified } from "./start/announce.ts";
import { checkAnswer, checkForms, refuseFull } from "./start/check-forms.ts";
import { checkFresh } from "./start/check-fresh.ts";
import { commitGuard } from "./start/commit-guard.ts";
import { completeBefore, type FoundStart, findCommands, findStart, gateBefore } from "./start/find-start.ts";
import { describeEnded, holdSpec, holdWorkspace, refuseHeld, takeTurn } from "./start/hold-workspace.ts";
import { notifyPerson } from "./start/notify-person.ts";
import { checkWorktrees } from "./start/open-worktrees.ts";
import { prepareShipping } from "./start/prepare-shipping.ts";
import type { Start } from "./start/start.ts";
import { tellMisread } from "./start/tell-misread.ts";
import { tellTelemetry } from "./start/tell-telemetry.ts";
import { dropOldWords } from "./start/watch-words.ts";
import { startHost } from "./start-host.ts";

/**
 * Run a spec to its outcome, or resume its run.
 *
 * All input is checked before anything is written. A run that was stopped or killed resumes where it was. It ends at a
 * gate when the owner first has to agree to something that is new since the last start.
 *
 * @throws {InputError} the plan, the options or the state cannot be used; `consent-missing`
 * @throws {EnvironmentError} `spec-locked`, `workspace-held`, `spec-on-other-host`, `spec-taken-over`,
 * `run-data-removed`, `file-refused`, `user-folder-unusable`
 * @see docs/agent.md
 */
export const runSpec = (options: RunOptions): Promise<RunEnded> => startSpec(options, () => {});

/** Like runSpec. @param admit Throws to refuse the found start before anything is decided. */
export async function startSpec(options: RunOptions, admit: (found: FoundStart) => void): Promise<RunEnded> {
  checkChoices(options.executors);
  checkForms(options);
  await takeTurn();
  const found = await findStart(options);
  admit(found);
  const { workspace, spec, address, data, documents, opened, origin } = found;
  const { reading, owner } = data;
  const emit = emitterOf(options);
  if (found.isComplete) {
    const complete = completeBefore(opened.plan, reading);
    tellStart({ emit, spec, plan: opened.plan, origin });
    emit({ type: "notice", message: `${spec.name} is complete: no task is open` });
    emit(complete);
    return complete;
  }
  if (options.resume === true && origin.fresh && data.state !== "lost") throw nothingToResume(spec, address);
  checkAnswer(spec, options, address, origin);
  if (!origin.fresh && data.recalled.diverged !== null) throw data.recalled.diverged;
  refuseFull(origin, owner, options);
  refuseHandedOut(found, options);
  refuseHeld(spec, workspace, options);
  const { verify, agreed } = await findCommands(found);
  if (agreed !== null) await refuseProse(opened.plan, spec.tasksPath, workspace);
  // Look for missing programs only when a run begins, since searching a long plan takes time.
  const looked = origin.fresh ? (agreed?.commands ?? []) : [];
  const missing = await tellMissing(opened.plan, { commands: looked, workspace, address });
  const misread = origin.fresh ? tellMisread(opened, options, origin.policy, address) : [];
  const announce = announcer({ emit, spec, workspace, address, origin, owner, reading, verify }, { misread, missing });
  const { programs } = found;
  const consent = await settleConsent({ data, plan: opened.plan, origin, verify: agreed, programs, options });
  const guard = commitGuard({
    workspace,
    spec,
    origin,
    data,
    programs,
    tell: (message) => emit({ type: "notice", message }),
  });
  const endAtGate = (question: Parameters<typeof gateBefore>[0]): RunEnded => {
    announce(opened.plan);
    if (options.accept !== undefined) emit({ type: "notice", message: unfit(options.accept) });
    const gate = gateBefore(question, opened.plan, address, origin);
    emit(gate);
    return gate;
  };
  if (consent.question !== null) {
    const { hash } = consent.question;
    const ways = [
      { say: "Look at it, then agree", words: ["--accept", hash] },
      { say: "Or begin anew", words: ["--new-run"] },
    ];
    return endAtGate({ ...consent.question, ways });
  }
  const moved = await guard.ask();
  if (moved !== null && !(await isAccepted(moved, options))) return endAtGate(moved);
  if (moved !== null) guard.agree();
  const planHash = hashOf(opened.text);
  const limited = stillLimited(origin, planHash);
  if (limited && !mayBeMended({ options, origin }, opened.plan)) {
    announce(opened.plan);
    const again = (origin.ended as NonNullable<Origin["ended"]>).ending;
    emit(again);
    return again;
  }
  if (origin.policy.commit !== false || origin.policy.requireCommit) {
    await repositoryOf(workspace, spec.folder, isCommitKept(options, origin));
  }
  if (origin.policy.commit !== false) await checkIdentity(workspace);
  checkFresh(workspace, origin.policy);
  await checkWorktrees(workspace, origin.policy);
  const place = { folder: spec.folder, workspace, path: origin.policy.stuckReport };
  if (escalates(origin.policy)) findReport(place);
  const commands = [...verify.commands, ...verify.reality];
  const { permissions } = origin.policy;
  const onLeftOut = (role: Role | Rung, reason: string) =>
    emit({ type: "notice", message: `${reason}: not used as ${role}` });
  const onDoubt = (doubt: Trouble) => emit({ type: "notice", message: tellDoubt(doubt, address) });
  const executors = checkExecutors(options.executors, { workspace, permissions, commands, onLeftOut, onDoubt });
  for (const rung of Object.keys(executors.rungs ?? {}) as Rung[]) {
    if (!origin.policy.recovery.includes(rung)) emit({ type: "notice", message: unreached(rung) });
  }
  const { finalVerify } = origin.policy;
  const mayRun = agreed === null ? [] : commands;
  checkCommands(finalVerify === null ? mayRun : [...mayRun, finalVerify], workspace);

  const shipping = await prepareShipping(origin, { ...options, executors }, { workspace, spec, guard });
  const start: Start = {
    ...{
      options: { ...options, ...shipping?.ports, executors },
      workspace,
      spec,
      files: found.files,
      address,
      documents,
      reading,
      state: found.state,
      origin,
    },
    ...{ commands, limited, agreed, consent, guard, emit, announce },
  };
  const lease = holdSpec(spec, data.mark, options);
  try {
    const leave = await holdWorkspace(spec, workspace, options);
    try {
      await shipping?.begin();
      return await work(start, found, planHash, lease);
    } finally {
      leave();
    }
  } finally {
    lease.release();
  }
}

/** Begin or resume the run of a spec that is locked by this process. */
async function work(start: Start, { data, files }: FoundStart, planHash: string, lease: Lease): Promise<RunEnded> {
  const { spec, origin, consent, guard, options, emit } = start;
  const { reading, owner } = data;
  for (const holder of lease.ended) emit({ type: "notice", message: describeEnded(holder) });
  if (lease.ended.length > 0) await endProcesses({ mark: { FIXPOINT_SPEC: spec.folder } });
  consent.agree(consent.current());
  if (origin.fresh || data.state === "foreign" || data.state === "unverified") owner.begin(origin.run);
  const facts = { policy: origin.policy, planHash, open: origin.open, seed: origin.seed, ...(await guard.begin()) };
  const journal = openJournal(reading, origin.run, facts, lease);
  files.hold(journal);
  guard.keep(journal, files);
  const head = openHead(owner.place, origin.run);
  const notifier = notifyPerson(start);
  const telemetry = tellTelemetry(start);
  try {
    if (data.state === "unverified") emit({ type: "notice", message: unverified(origin.run) });
    forgetEndedCalls(spec.folder);
    const words = wordBox(owner.place);
    dropOldWords(words, origin.run, reading.records);
    const { keepRuns } = options;
    if (origin.fresh && keepRuns !== undefined) tidyUp(spec.dataFolder, origin.run, keepRuns).forEach(emit);
    const ended = await goOn(start, startHost(start, { journal, head, words, notifier, telemetry }));
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
function isCommitKept({ policy = {}, fromFiles = {} }: RunOptions, { policy: wanted, before }: Origin): boolean {
  const isTyped = policy.requireCommit === true && fromFiles["requireCommit"] === undefined;
  return wanted.requireCommit && (!isTyped || before?.requireCommit === true);
}

const nothingToResume = ({ name }: SpecFolder, address: SpecAddress): InputError =>
  new InputError(`Cannot resume \`${name}\`, expected a run that was stopped`, {
    code: "nothing-to-resume",
    hint: `Begin one: ${commandLine(address, "run")}`,
  });
