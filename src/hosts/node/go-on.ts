import { join } from "node:path";
import { makeProgress } from "../../adapters/file-store.ts";
import { git } from "../../adapters/git.ts";
import type { Journal } from "../../adapters/journal.ts";
import { stopNote } from "../../adapters/note-file.ts";
import { outputPaths } from "../../adapters/output-paths.ts";
import { pauseFile } from "../../adapters/pause-file.ts";
import { putReportAway } from "../../adapters/report-file.ts";
import type { OpenHead } from "../../adapters/run-head.ts";
import { systemClock } from "../../adapters/system-clock.ts";
import { createRunMemory, type RunMemory } from "../../effects/run-memory.ts";
import { EnvironmentError, FixpointError, isLost } from "../../model/errors.ts";
import type { RunEnded, RunEvent } from "../../model/event.ts";
import type { Plan } from "../../model/plan.ts";
import { type Speaker, spokenBy } from "../../model/speaker.ts";
import type { Documents, OpenPlan } from "../../ports/documents.ts";
import type { Shell } from "../../ports/shell.ts";
import type { Ending } from "../../runtime/conclude.ts";
import { findMended, tellMending } from "../../runtime/find-mended.ts";
import { personPort } from "../../runtime/person-port.ts";
import { run } from "../../runtime/run.ts";
import { createRunControl } from "../../runtime/run-control.ts";
import { type Desk, settlePlan } from "../../runtime/settle-plan.ts";
import { endedBy } from "../../runtime/stop.ts";
import type { Origin } from "../../start/origin.ts";
import { wordsNow } from "../../start/words.ts";
import { isAccepted, shortHash } from "./agree.ts";
import { askLater } from "./ask-later.ts";
import { checkPlan } from "./check-plan.ts";
import { endLeftovers } from "./end-leftovers.ts";
import type { SpecFolder } from "./find-spec.ts";
import { unendedStart } from "./holder-of.ts";
import { keepAnew } from "./keep-anew.ts";
import { keepSums } from "./keep-sums.ts";
import { knownBases } from "./known-base.ts";
import { mergeLeftLogs } from "./merge-left-logs.ts";
import { ownShell } from "./own-shell.ts";
import { noteHead } from "./owner-record.ts";
import { replyFiles } from "./reply-files.ts";
import { isProgram, linesOf, resolveExecutors } from "./resolve-executors.ts";
import type { Start } from "./start.ts";
import { isChangedByOthers, leftState, type StateView, stateView } from "./state-view.ts";
import { hashOf } from "./verify-commands.ts";
import { watchFence } from "./watch-fence.ts";
import { watchFiles } from "./watch-files.ts";
import { watchWords } from "./watch-words.ts";

/**
 * Bring a run to its outcome from where it is, holding its journal.
 *
 * @throws {InputError} `plan-changed`, `plan-refused`
 * @throws {EnvironmentError} when not even the end could be recorded
 */
export async function goOn(start: Start, opened: Journal, head: OpenHead): Promise<RunEnded> {
  const { options, workspace, spec, documents, reading, state, origin, emit, announce } = start;
  const journal = keepSums(
    noteHead(opened, head, () => memory.ledger),
    start,
    () => memory.state,
    async () => desk.bases.keep((await plan.known()).text),
  );
  const outputs = join(journal.folder, "out");
  const startedAt = performance.now();
  const before = origin.state?.elapsedMs ?? origin.seed.elapsedMs;
  const elapsedMs = (): number => before + performance.now() - startedAt;
  const memory = createMemory(start, journal, outputs, elapsedMs, () => {
    view.refresh();
    keepPlan();
  });
  if (origin.state !== null) {
    memory.take(origin.state);
    const last = origin.ended?.ending.outcome;
    const mayBeLeft = last === undefined || last === "environment" || unendedStart(reading) !== null;
    if (mayBeLeft) await endLeftovers(spec.folder, Object.keys(origin.state.turn.unanswered));
  }
  const check = (standing: Plan): Promise<void> => checkPlan(standing, start);
  const openShell = (): Shell => ownShell(start, outputs, journal.checkFence);
  const { signal = new AbortController().signal } = options;
  const look: Desk["look"] = (standing, wasChanged) =>
    findMended(start, standing, { memory, shell: openShell(), workspace, wasChanged }, signal);
  const askOwner: Desk["askOwner"] = async ({ facts, ...question }) => {
    const hash = shortHash(...facts);
    const accepted = await isAccepted({ ...question, hash }, options);
    return accepted ? { accepted } : { accepted, hash, isAsked: options.confirm !== undefined };
  };
  const desk = { journal, bases: knownBases(journal), hashOf, look, check, askOwner };
  const { plan, found, midTurn, records, mending } = await settlePlan(start, desk, memory);
  const keepPlan = keepAnew(desk.bases, memory, plan);

  makeProgress(spec.progressPath, spec.name);
  announce(found, [...memory.skipped().keys(), ...memory.superseded().keys()]);
  tellMending(mending, memory, emit);
  if (start.limited && mending.mended.length === 0) {
    const again = (origin.ended as NonNullable<Origin["ended"]>).ending;
    emit(again);
    return again;
  }
  await mergeLeftLogs(start, (await plan.known()).plan, memory, midTurn ? memory.batch : []);
  const { permissions } = origin.policy;
  for (const call of linesOf(options.executors, permissions, start.commands)) {
    emit({ type: "executor.chosen", ...call });
  }
  /** Tasks may be added meanwhile, with commands that the owner is asked about then. */
  const mayRun = (): readonly string[] => {
    const { verify, reality } = start.consent.current();
    return [...new Set([...start.commands, ...verify, ...reality])];
  };
  const view = stateView(start, memory, journal.checkFence);
  const standing = (await plan.known()).plan;
  if (state.kind === "corrupt") emit({ type: "notice", message: `${spec.statePath} was not readable: rebuilt` });
  else if (isChangedByOthers(state, reading)) {
    emit({ type: "notice", message: `${spec.statePath} was changed since the last start left it: rewritten` });
  }
  view.show(standing);
  const asking: Start = { ...start, options: { ...options, ...view.asking(options) } };
  const heard = options.control ?? createRunControl();
  for (const event of wordsNow(options, origin)) heard.send(event, options.speaker);
  const words = watchWords(spec.dataFolder, heard, (unheard) => {
    memory.note({ type: "unheard", ...unheard });
    const { word, key } = unheard;
    emit({
      type: "notice",
      message: `Refused \`${word}\` from within ${key}: the words of a person come from a person`,
    });
  });
  let passed = 0;
  const pausing = (event: RunEvent): void => {
    emit(event);
    const isPlanned = event.type === "task.passed" && memory.rootOf(event.task) === event.task;
    if (!isPlanned || ++passed !== options.pauseAfter) return;
    pauseFile(spec.dataFolder).pause(options.speaker);
    words.look();
  };
  const watch = watchFence(journal.checkFence, options.signal);
  let reached: Ending;
  try {
    reached = await run({
      ports: {
        executors: resolveExecutors(options.executors, origin.policy, mayRun, outputs, journal.checkFence),
        documents,
        plan,
        attempts: memory,
        shell: openShell(),
        git: git({
          workspace,
          specFiles: { "tasks.md": spec.tasksPath, ".progress.md": spec.progressPath },
          checkFence: journal.checkFence,
        }),
        consent: askLater(asking),
        person: personPort(asking, midTurn),
        fileState: watchFiles(start),
        clock: systemClock,
        onProgress: emit,
        workspace,
        spec: spec.folder,
        address: start.address,
      },
      memory,
      policy: origin.policy,
      records,
      midTurn,
      onEvent: pausing,
      refreshViews: async () => view.show((await plan.known()).plan),
      heard,
      ...(options.speaker !== undefined && { speaker: options.speaker }),
      signal: watch.signal,
    });
  } catch (error) {
    view.stop();
    throw error;
  } finally {
    words.end();
    watch.end();
  }
  const left = await plan.known();
  const { ended: reachedEnd, denial, settled } = await endView(view, left.plan, reached);
  const ended: RunEnded = { ...reachedEnd, ...(options.accept === "any" && { acceptedAny: true }) };
  const planHash = hashOf((await readOr(documents, left)).text);
  if (!["checkpoint", "interrupted", "environment"].includes(ended.outcome)) answerReport(start, memory, left.plan);
  const by = spokenBy(stoppedBy(spec, ended) ?? undefined);
  if (settled)
    journal.append({ type: "ended", ending: ended, planHash, ...leftState(spec), denial, ...by }, { durable: true });
  emit(ended);
  return ended;
}

/** Who has stopped a run from outside; null when it was told otherwise. */
function stoppedBy({ dataFolder }: SpecFolder, { outcome }: RunEnded): Speaker | null {
  if (outcome !== "interrupted") return null;
  const note = stopNote(dataFolder);
  try {
    const by = note.read();
    note.remove();
    return by;
  } catch (error) {
    // The end counts, whoever has wished for it.
    if (!(error instanceof FixpointError)) throw error;
    return null;
  }
}

/** A report stands there only while it waits for an answer. Where it cannot be moved it stays, which is said. */
function answerReport({ spec, workspace, origin, emit }: Start, memory: RunMemory, left: Plan): void {
  const isWaiting = left.tasks.some(({ id, done }) => !done && memory.escalation(id).level === "checkpoint");
  if (memory.reported().size === 0 || isWaiting) return;
  try {
    putReportAway({ folder: spec.folder, workspace, path: origin.policy.stuckReport }, spec.dataFolder);
  } catch (error) {
    if (!(error instanceof FixpointError)) throw error;
    emit({ type: "notice", message: `The stuck report was answered, but not moved away: ${error.message}` });
  }
}

/** How the run has ended when its view has, too: a view that cannot be written ends it for that reason. */
async function endView(view: StateView, left: Plan, reached: Ending): Promise<Ending> {
  const { outcome } = reached.ended;
  try {
    await view.end(left, outcome);
    return reached;
  } catch (error) {
    if (!(error instanceof EnvironmentError) || isLost(error)) throw error;
    return outcome === "environment" ? reached : { ...reached, ended: endedBy(error, reached.ended), denial: null };
  }
}

const createMemory = (
  { options, origin, emit }: Start,
  journal: Journal,
  outputs: string,
  elapsedMs: () => number,
  refreshViews: () => void,
): RunMemory =>
  createRunMemory({
    open: origin.open,
    seed: origin.seed,
    elapsedMs,
    store: { append: journal.append, ...replyFiles(outputs, journal.checkFence) },
    onAdmit: ({ task, title, role, attempt, key, executor }, iteration) => {
      refreshViews();
      const output = isProgram(options.executors, role, executor) && { output: outputPaths(outputs, key).stdout };
      emit({ type: "task.delegated", task, title, role, attempt, key, iteration, ...output });
    },
    onUnknownUsage: () =>
      emit({
        type: "notice",
        message: "The executor does not report its usage: limits on cost and tokens have no effect",
      }),
  });

/** The plan as it is, or as it was known when it cannot be read any more: the run has ended for that reason. */
async function readOr(documents: Documents, known: OpenPlan): Promise<OpenPlan> {
  try {
    return await documents.read();
  } catch {
    return known;
  }
}
