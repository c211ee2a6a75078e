import { basename } from "node:path";
import { makeProgress, putReportAway } from "../../adapters/documents/file-store.ts";
import { git } from "../../adapters/git.ts";
import type { Journal } from "../../adapters/journal/journal.ts";
import { outputPaths } from "../../adapters/processes/open-output.ts";
import { systemClock } from "../../adapters/system-clock.ts";
import type { Inbox } from "../../adapters/user/inbox.ts";
import type { OpenHead } from "../../adapters/user/run-head.ts";
import type { RunMemory } from "../../effects/run-memory.ts";
import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { EnvironmentError, FixpointError, GateError, isLost } from "../../model/errors.ts";
import type { RunEnded } from "../../model/event.ts";
import { type Speaker, spokenBy } from "../../model/person-event.ts";
import type { Plan } from "../../model/plan.ts";
import { projectCheck } from "../../model/project-check.ts";
import { countOf } from "../../model/text.ts";
import type { Ending } from "../../runtime/conclude.ts";
import type { StartHost, Work } from "../../runtime/continue-run.ts";
import type { RunControl } from "../../runtime/run-control.ts";
import { endedBy } from "../../runtime/stop.ts";
import { isAccepted } from "./consent/agree.ts";
import { askLater } from "./consent/ask-first.ts";
import { noteHead } from "./consent/owner-record.ts";
import { hashOf, shortHash } from "./consent/verify-commands.ts";
import { linesOf, programsAmong, resolveExecutors } from "./executors/resolve-executors.ts";
import { fileJournal, outputFolder } from "./file-journal.ts";
import type { Telemetry } from "./start/emit-telemetry.ts";
import { checkPlan } from "./start/find-start.ts";
import { endLeftovers, type Notifier, ownShell } from "./start/notify-person.ts";
import { dropLeftWorktrees, openWorktrees } from "./start/open-worktrees.ts";
import { pollInbox, takeStop, watchFence, watchFiles, watchTrees } from "./start/poll-inbox.ts";
import { mergeLeftLogs, type Start } from "./start/start.ts";
import { isChangedByOthers, leftState, type StateView, stateView } from "./start/state-view.ts";

interface Held {
  readonly journal: Journal;
  readonly head: OpenHead;
  readonly words: Inbox;
  readonly notifier: Notifier;
  readonly telemetry: Telemetry;
}

export function startHost(start: Start, { journal: opened, head, words, notifier, telemetry }: Held): StartHost {
  const { options, workspace, spec, origin, emit } = start;
  const outputs = outputFolder(opened);
  const isProgram = programsAmong(options.executors);
  let view: StateView | null = null;
  return {
    journal: (now) => {
      const journal = fileJournal(opened, start.files);
      return telemetry.watch({ ...journal, ...noteHead(journal, head, () => now.memory) });
    },
    ...{ hashOf, workspace },
    elapsedMs: () => performance.now(),
    shell: () => ownShell(start, outputs),
    signal: options.signal ?? new AbortController().signal,
    check: (plan) => checkPlan(plan, start),
    askOwner: async ({ facts, ...question }) => {
      const hash = shortHash(...facts);
      const accepted = await isAccepted({ ...question, hash }, options);
      return accepted ? { accepted } : { accepted, hash, isAsked: options.confirm !== undefined };
    },
    endLeftovers: (calls) => endLeftovers(spec.folder, calls),
    announceDelegation: async ({ task, title, role, attempt, key, executor }, iteration) => {
      await view?.refresh();
      const output = isProgram(role, executor) && { output: outputPaths(outputs, key).stdout };
      const event = { type: "task.delegated", task, title, role, attempt, key, iteration, ...output } as const;
      emit(event);
      telemetry.see(event);
    },
    begin: async ({ memory, plan, midTurn }) => {
      makeProgress(spec.progressPath, spec.name);
      await mergeLeftLogs(start, plan, memory, midTurn ? memory.batch : []);
      const { permissions } = origin.policy;
      for (const call of linesOf(options.executors, permissions, start.commands)) {
        emit({ type: "executor.chosen", ...call });
      }
      const shown = stateView(start, memory, plan);
      view = shown;
      reportState(start);
      await dropLeftWorktrees(start);
      const notice = start.guard.notice();
      if (notice !== null) emit({ type: "notice", message: notice });
      await shown.refresh();
      notifier.show(plan);
      const { checkHeld } = opened;
      const run = basename(opened.folder);
      return work(start, { memory, view: shown, outputs, run, words, notifier, telemetry, checkHeld });
    },
  };
}

function work(
  start: Start,
  {
    memory,
    view,
    outputs,
    run,
    words,
    notifier,
    telemetry,
    checkHeld,
  }: {
    readonly memory: RunMemory;
    readonly view: StateView;
    readonly outputs: string;
    readonly run: string;
    readonly words: Inbox;
    readonly notifier: Notifier;
    readonly telemetry: Telemetry;
    readonly checkHeld: () => void;
  },
): Work {
  const { options, workspace, spec, files, origin, emit } = start;
  const { programs, untracked, check } = start.guard;
  const ask = view.asking(options);
  /** List the commands again at each call: added tasks may bring commands that the owner agrees to later. */
  const mayRun = (): readonly string[] => {
    const { verify, reality } = start.consent.current();
    return [...new Set([...start.commands, ...verify, ...reality])];
  };
  const watch = watchFence(checkHeld, options.signal);
  const contents = watchTrees(start, run);
  const apart = openWorktrees(start, { run, outputs, contents });
  let control: RunControl | null = null;
  let passed = 0;
  return {
    ports: {
      executors: telemetry.listen(
        resolveExecutors(options.executors, origin.policy, mayRun, { workspace, outputFolder: outputs }, files.check),
      ),
      git: git({
        workspace,
        specFiles: { "tasks.md": spec.tasksPath, ".progress.md": spec.progressPath },
        checkFence: files.check,
        ...{ programs, untracked, check },
      }),
      ...(options.forge !== undefined && { forge: options.forge }),
      ...(options.branch !== undefined && { branch: options.branch }),
      check: projectCheck(origin.policy),
      consent: askLater({ ...start, options: { ...options, ...ask } }),
      trees: contents,
      ...(apart !== null && origin.policy.worktrees && { worktrees: apart }),
      ...(apart !== null && origin.policy.race !== null && { lanes: apart }),
      fileState: watchFiles(start),
      clock: systemClock,
      onProgress: emit,
      spec: spec.folder,
    },
    ask,
    signal: watch.signal,
    show: (plan) => {
      view.show(plan);
      notifier.show(plan);
    },
    ended: (ended) => notifier.end(ended, memory.state),
    abandon: async () => {
      await view.stop();
      await apart?.end();
      contents.close();
    },
    onEvent: (event) => {
      emit(event);
      notifier.see(event, memory);
      telemetry.see(event);
      const isPlanned = event.type === "task.passed" && memory.rootOf(event.task) === event.task;
      if (!isPlanned || ++passed !== options.pauseAfter) return;
      control?.send({ type: "pause" }, options.speaker);
    },
    endsPaused: () => {
      const { pauseAfter, decide, control: others } = options;
      const canResume = decide !== undefined || others !== undefined;
      return pauseAfter === undefined || passed < pauseAfter || canResume
        ? null
        : pausedAfter(pauseAfter, start.address);
    },
    listen: (heard) => {
      control = heard;
      const endWatch = pollInbox({ box: words, dataFolder: spec.dataFolder }, heard, (unheard) => {
        memory.record([{ type: "unheard", ...unheard }]);
        const { word, key } = unheard;
        const message = `Refused \`${word}\` from within ${key}: only a person may send it`;
        emit({ type: "notice", message });
      });
      return () => {
        endWatch();
        watch.end();
      };
    },
    leave: async (reached, left) => {
      await apart?.end();
      contents.close();
      const { ended: shown, ...reachedSo } = await endView(view, left, reached, start.address);
      const ended: RunEnded = { ...shown, ...(options.accept === "any" && { acceptedAny: true }) };
      if (!["checkpoint", "interrupted", "environment"].includes(ended.outcome)) answerReport(start, memory, left);
      const by = spokenBy(stoppedBy(words, ended) ?? undefined);
      return { ended, ...reachedSo, facts: { ...leftState(spec), ...by } };
    },
  };
}

const pausedAfter = (passed: number, address: SpecAddress): GateError =>
  new GateError(`Paused after ${countOf(passed, "task", "tasks")}, as --pause-after says`, {
    code: "run-paused",
    hint: `Continue: ${commandLine(address, "run")}`,
  });

function reportState({ spec: { statePath }, state, reading, emit }: Start): void {
  if (state.kind === "corrupt")
    emit({ type: "notice", message: `${statePath} was not readable, and has been rebuilt` });
  else if (isChangedByOthers(state, reading)) {
    emit({ type: "notice", message: `${statePath} was changed since the last start wrote it, and has been rewritten` });
  }
}

/** The speaker of a stop request from outside; null if the run ended for another reason. */
function stoppedBy(words: Inbox, { outcome }: RunEnded): Speaker | null {
  if (outcome !== "interrupted") return null;
  try {
    return takeStop(words);
  } catch (error) {
    // An unreadable inbox must not hide the outcome of the run.
    if (!(error instanceof FixpointError)) throw error;
    return null;
  }
}

/**
 * Move the checkpoint report away unless it still waits for an answer. If moving fails, the report stays, and a notice
 * says so.
 */
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

/** Write the final view. If writing fails, the failure replaces the ending of the run. */
async function endView(view: StateView, left: Plan, reached: Ending, address: SpecAddress): Promise<Ending> {
  const { outcome } = reached.ended;
  try {
    await view.end(left, outcome);
    return reached;
  } catch (error) {
    if (error instanceof GateError) await view.end(left, "gate");
    else if (!(error instanceof EnvironmentError) || isLost(error)) throw error;
    if (outcome === "environment") return reached;
    const ended = endedBy(error, reached.ended, address);
    return { ...reached, ended, denial: null, ...(ended.outcome === "gate" && { midTurn: true }) };
  }
}
