import {
  readStateFile,
  removeStateFile,
  type StateReading,
  stateFileView,
} from "../../../adapters/documents/state-file.ts";
import { git } from "../../../adapters/git.ts";
import type { JournalReading } from "../../../adapters/journal/read-journal.ts";
import type { RunMemory } from "../../../effects/run-memory.ts";
import { untilAborted } from "../../../effects/until-aborted.ts";
import { FixpointError } from "../../../model/errors.ts";
import type { RunEnding } from "../../../model/event.ts";
import {
  describeState,
  type ExecutionState,
  type StateFacts,
  type TaskResult,
} from "../../../model/execution-state.ts";
import { spentOn } from "../../../model/ledger.ts";
import { globalCap } from "../../../model/limits.ts";
import { nextTree, type Plan } from "../../../model/plan.ts";
import { planWithout } from "../../../model/plan-parts.ts";
import type { Task, TaskId } from "../../../model/task.ts";
import type { StartPoint } from "../../../run/resolve-start.ts";

import { hashOf } from "../consent/verify-commands.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";
import type { Start } from "./start.ts";

/** Writes `.ralph-state.json` as a view of the run. Fields of other programs in the file stay. */
export interface StateView {
  /** Show the current plan soon, possibly in one write with the next delegation. */
  show(plan: Plan): void;
  /**
   * Show the current ledger with the last plan. Resolves after the file is written.
   *
   * @throws {EnvironmentError} `file-refused`, `spec-taken-over`, `run-data-removed`
   */
  refresh(): Promise<void>;
  /** Wrap the ports that ask a person: while a question is open, the file says that the run waits for approval. */
  asking(ways: WaysToAsk): WaysToAsk;
  /**
   * Write pending changes, or remove the file when the run is complete. If the run commits and git tracks the file, the
   * removal is committed.
   *
   * @throws {GateError} if the commit would go to a checkout other than that of the run; the file stays then
   */
  end(plan: Plan, outcome: RunEnding): Promise<void>;
  /** Begin no more writes. Resolves when none is in progress. */
  stop(): Promise<void>;
}

type WaysToAsk = Pick<RunOptions, "confirm" | "decide">;

const awaiting: readonly RunEnding[] = ["gate", "checkpoint"];

/** @param plan The plan that is shown first. */
export function stateView(
  {
    spec: { statePath, progressPath },
    files,
    state,
    origin,
    workspace,
    guard: { programs, check },
  }: Pick<Start, "spec" | "files" | "state" | "origin" | "workspace" | "guard">,
  memory: RunMemory,
  plan: Plan,
): StateView {
  const file = stateFileView(statePath, files, state);
  let before = state.kind === "read" ? state.state : null;
  let shown = plan;
  let questions = 0;
  const describe = (found: StateReading): ExecutionState => {
    if (found.kind === "read") before = found.state;
    return describeState(before, { ...stateFacts(shown, memory, origin), awaitingApproval: questions > 0 });
  };
  const view = serialWriter(() => file.update(describe));
  const whileAsked =
    <Given extends readonly unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      questions += 1;
      try {
        await view.write();
        return await ask(...given);
      } finally {
        questions -= 1;
        await view.write();
      }
    };
  return {
    show: (plan) => {
      shown = plan;
      view.writeSoon();
    },
    refresh: view.write,
    asking: ({ confirm, decide }) => ({
      ...(confirm && { confirm: whileAsked(confirm) }),
      // A message from another process may answer first, and `decide` may ignore its signal.
      ...(decide && { decide: whileAsked((asked, signal) => untilAborted(signal, () => decide(asked, signal))) }),
    }),
    stop: view.stop,
    end: async (plan, outcome) => {
      shown = plan;
      await view.stop();
      if (outcome === "complete") {
        files.check();
        // A commit after the last push would be missing in the pull request.
        const commits = origin.policy.commit !== false && origin.policy.pullRequest === undefined;
        if (commits) await check();
        removeStateFile(statePath);
        if (!commits) return;
        // Commit the log, too: its last lines were written after the commit of the last task.
        const specFiles = { ".ralph-state.json": statePath, ".progress.md": progressPath };
        await git({ workspace, specFiles, programs, checkFence: files.check, check }).commit(
          "chore(spec): remove the state of the finished run",
        );
        return;
      }
      questions = awaiting.includes(outcome) ? 1 : 0;
      await file.replace(describe);
    },
  };
}

/** Hash of the state file, by which a later start detects changes of other programs. */
const stateHashOf = (reading: StateReading): string | null =>
  reading.kind === "read" ? hashOf(JSON.stringify(reading.state)) : null;

/** Hash of the state file for the record of a start's end; empty if the file cannot be read. */
export function leftState({ statePath }: SpecFolder): { stateHash?: string } {
  try {
    const stateHash = stateHashOf(readStateFile(statePath));
    return stateHash === null ? {} : { stateHash };
  } catch (error) {
    if (error instanceof FixpointError) return {};
    throw error;
  }
}

/**
 * Whether another program has changed the state file since the previous start recorded its end. False if that start was
 * killed, since it recorded no hash.
 */
export function isChangedByOthers(state: StateReading, { segments }: Pick<JournalReading, "segments">): boolean {
  const last = segments.at(-1)?.records.at(-1);
  if (last?.type !== "ended" || last.stateHash === undefined) return false;
  return state.kind === "read" && stateHashOf(state) !== last.stateHash;
}

function stateFacts(plan: Plan, memory: RunMemory, { policy, open }: StartPoint): Omit<StateFacts, "awaitingApproval"> {
  const next = nextTree(planWithout(plan, memory.superseded().keys()));
  const { iterations, tasks } = memory.ledger;
  const parallelGroup = groupOf(plan, memory.batch);
  return {
    taskIndex: next === null ? plan.tasks.length : plan.tasks.indexOf(next.root),
    totalTasks: plan.tasks.length,
    taskIteration: next === null ? 1 : spentOn(tasks, next.current.id).retries + 1,
    iterations,
    policy,
    maxGlobalIterations: globalCap(policy, open),
    spent: tasks,
    repaired: Object.values(memory.state.fixParents),
    lastError: (task) => memory.intended(spentOn(tasks, task).fixes.at(-1) ?? "")?.error,
    parallelGroup,
    taskResults: resultsOf(plan, parallelGroup?.taskIndices ?? [], memory),
    changes: memory.changes,
  };
}

function groupOf({ tasks }: Plan, batch: readonly TaskId[]): StateFacts["parallelGroup"] {
  const taskIndices = batch.map((member) => tasks.findIndex(({ id }) => id === member));
  const [startIndex, endIndex] = [taskIndices[0], taskIndices.at(-1)];
  if (startIndex === undefined || endIndex === undefined) return null;
  return { startIndex, endIndex, taskIndices, isParallel: true };
}

function resultsOf({ tasks }: Plan, indices: readonly number[], memory: RunMemory): StateFacts["taskResults"] {
  const { tasks: spent } = memory.ledger;
  const atWork = memory.inFlight();
  const resultOf = ({ id, done }: Task): TaskResult => {
    if (done) return { status: "success" };
    if (atWork.has(id) || spentOn(spent, id).attempts === 0) return { status: "pending" };
    const { lastError } = memory.escalation(id);
    return { status: "failed", ...(lastError !== null && { error: lastError }) };
  };
  // A task that was removed from the plan has no index.
  return Object.fromEntries(
    indices.flatMap((index) => {
      const task = tasks[index];
      return task === undefined ? [] : [[index, resultOf(task)]];
    }),
  );
}

/** Writes a view, one write at a time. Each write uses the state at the time when the write begins. */
interface SerialWriter {
  /** Resolves after a write that begins no earlier than this call; rejects with the error of that write. */
  write(): Promise<void>;
  /**
   * Write after a short pause, to combine several changes. If the delayed write fails, the next write fails for the
   * same reason.
   */
  writeSoon(): void;
  stop(): Promise<void>;
}

/** @param pauseMs Maximum delay of a change, in milliseconds. */
function serialWriter(write: () => Promise<void>, pauseMs = 100): SerialWriter {
  let timer: NodeJS.Timeout | undefined;
  let isStale = false;
  let underway: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let isStopped = false;
  const begin = (): Promise<void> => {
    isStale = false;
    if (isStopped) return Promise.resolve();
    underway = write().finally(() => {
      underway = undefined;
    });
    return underway;
  };
  const writeNext = (): Promise<void> => {
    if (underway === undefined && following === undefined) return begin();
    following ??= settled(underway).then(() => {
      following = undefined;
      return begin();
    });
    return following;
  };
  const endPause = (): void => {
    timer = undefined;
    if (isStale) void settled(writeNext());
  };
  return {
    write: writeNext,
    writeSoon: () => {
      isStale = true;
      if (!isStopped) timer ??= setTimeout(endPause, pauseMs).unref();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return settled(following ?? underway);
    },
  };
}

const settled = (work: Promise<void> | undefined): Promise<void> => (work ?? Promise.resolve()).catch(() => {});
