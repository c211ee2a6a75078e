import { resolve } from "node:path";
import { fileStore, makeDataFolder } from "../../adapters/file-store.ts";
import { repositoryOf } from "../../adapters/git/repository-of.ts";
import { type JournalReading, openJournal } from "../../adapters/journal.ts";
import { pauseFile } from "../../adapters/pause-file.ts";
import { readFreeJournal } from "../../adapters/read-free-journal.ts";
import { findReport } from "../../adapters/report-file.ts";
import { checkCommands } from "../../adapters/shell-command.ts";
import { readStateFile, stateCorrupt } from "../../adapters/state-file.ts";
import { InputError } from "../../model/errors.ts";
import type { RunEnded, RunEvent, TimedRunEvent } from "../../model/event.ts";
import { planWithout } from "../../model/left-out.ts";
import { nextTask, type Plan } from "../../model/plan.ts";
import { escalates } from "../../model/policy.ts";
import type { TaskId } from "../../model/task-id.ts";
import { findSpec, type SpecFolder } from "./find-spec.ts";
import { goOn } from "./go-on.ts";
import { findSum, sumIn } from "./known-sum.ts";
import { type Origin, originOf, stillLimited } from "./open-run.ts";
import { refuseDiverged } from "./refuse-diverged.ts";
import { checkExecutors } from "./resolve-executors.ts";
import type { RunOptions } from "./run-options.ts";
import { hashOf, verifyCommands } from "./verify-commands.ts";
import { askConsent, refuseProblems } from "./verify-consent.ts";

/**
 * Run a spec, or go on with one, to its outcome.
 *
 * All input is checked before anything is written. A run that was stopped or killed goes on where it was.
 *
 * @throws {InputError} the plan, the options or the state cannot be used
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`, `spec-taken-over`, `file-refused`
 * @see docs/embedding.md
 */
export async function runSpec(options: RunOptions): Promise<RunEnded> {
  const workspace = resolve(options.workspace ?? process.cwd());
  const spec = findSpec(options.spec, workspace);
  const emit = (event: RunEvent): void => {
    const { type, ...facts } = event;
    const timed = { type, at: new Date().toISOString(), ...facts } as TimedRunEvent;
    try {
      options.onEvent?.(timed);
    } catch (error) {
      // A listener's defect is not the run's: it surfaces where nobody catches it.
      queueMicrotask(() => {
        throw error;
      });
    }
  };
  const reading = readFreeJournal(spec.dataFolder, { abridged: true, findSum, takeOver: options.takeOver ?? false });
  const state = readStateFile(spec.statePath);
  if (state.kind === "corrupt" && reading.segments.length === 0) throw stateCorrupt(spec.statePath, state.cause);
  let fence = (): void => {};
  const documents = fileStore({ ...spec, workspace, checkFence: () => fence() });
  const opened = await documents.read();
  refuseProblems(opened.plan, spec);
  const origin = originOf(reading, state, options.policy ?? {}, opened.plan);
  if (options.resume === true && origin.fresh) throw nothingToResume(spec);
  if (!origin.fresh) refuseDiverged(reading);
  const verify = await verifyCommands(opened.plan, documents);
  const announce = (plan: Plan, skipped: Iterable<TaskId> = []): void => {
    emit({
      type: "run.started",
      spec: spec.name,
      total: plan.tasks.length,
      completed: plan.tasks.filter(({ done }) => done).length,
      next: nextTask(planWithout(plan, skipped))?.current ?? null,
      policy: origin.policy,
      resumed: !origin.fresh,
    });
    if (verify.unrunnable > 0 && !origin.policy.trustExecutor && origin.fresh) {
      emit({ type: "notice", message: `${verify.unrunnable} Verify fields cannot be run: fixpoint lint says which` });
    }
  };
  const planHash = hashOf(opened.text);
  if (stillLimited(origin, planHash)) {
    announce(opened.plan);
    const again = (origin.ended as NonNullable<Origin["ended"]>).ending;
    emit(again);
    return again;
  }
  if (origin.policy.commit || origin.policy.requireCommit) await repositoryOf(workspace, spec.folder);
  const place = { folder: spec.folder, workspace, path: origin.policy.stuckReport };
  if (escalates(origin.policy)) findReport(place);
  const executors = checkExecutors(options.executors, workspace, (role, reason) =>
    emit({ type: "notice", message: `${reason}: left out as ${role}` }),
  );
  const approved = approvedIn(reading);
  const runsVerify = !origin.policy.trustExecutor && opened.plan.tasks.some(({ done }) => !done);
  const { finalVerify } = origin.policy;
  const agreedTo = runsVerify ? [...verify.commands, ...verify.reality] : [];
  checkCommands(finalVerify === null ? agreedTo : [...agreedTo, finalVerify], workspace);
  if (runsVerify) await askConsent(verify, approved, options);

  makeDataFolder(spec.dataFolder);
  const journal = openJournal(reading, origin.run, {
    policy: origin.policy,
    planHash,
    verifyHash: (runsVerify ? verify.hash : approved) ?? "",
    open: origin.open,
    seed: origin.seed,
  });
  fence = journal.checkFence;
  try {
    // What was wished before counts no more; what is wished from now on does. Only who holds the spec may say so.
    pauseFile(spec.dataFolder).resume();
    const agreed = runsVerify ? verify : null;
    const start = { options: { ...options, executors }, workspace, spec, documents, reading, state, origin };
    return await goOn({ ...start, agreed, emit, announce }, journal);
  } finally {
    journal.close();
  }
}

const nothingToResume = ({ name }: SpecFolder): InputError =>
  new InputError(`Cannot resume \`${name}\`, expected a run that was stopped`, {
    code: "nothing-to-resume",
    hint: `Begin one: fixpoint run ${name}`,
  });

/** Hash of the commands that were agreed to last. */
function approvedIn(reading: JournalReading): string | undefined {
  const last = reading.segments.at(-1);
  const later = last?.records.findLast((record) => record.type === "approved");
  const isSummedUp = reading.sum?.parts.length === reading.segments.length;
  return later?.verifyHash ?? (isSummedUp ? sumIn(reading)?.approved : null) ?? last?.header.verifyHash;
}
