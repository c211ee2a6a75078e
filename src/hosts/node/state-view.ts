import { draftPath } from "../../adapters/draft-path.ts";
import { readStateFile, removeStateFile, type StateReading, writeStateFile } from "../../adapters/state-file.ts";
import type { RunMemory } from "../../effects/run-memory.ts";
import { describeState, type StateFacts } from "../../model/describe-state.ts";
import { FixpointError } from "../../model/errors.ts";
import { spentOn } from "../../model/ledger.ts";
import { planWithout } from "../../model/left-out.ts";
import { globalCap } from "../../model/limits.ts";
import { nextTask, type Plan } from "../../model/plan.ts";
import type { TaskId } from "../../model/task-id.ts";
import type { SpecFolder } from "./find-spec.ts";
import type { Origin } from "./open-run.ts";
import { pausedView } from "./paused-view.ts";
import { hashOf } from "./verify-commands.ts";

/** `.ralph-state.json` as a view of the run: what others wrote into it meanwhile is kept. */
export interface StateView {
  /** Show the plan as it stands. */
  show(plan: Plan): void;
  /** Show what was spent since, of the plan that was shown last. */
  refresh(): void;
  /** Write what is still to be written, or take the file away when the run is complete. */
  end(plan: Plan, complete: boolean): void;
  /** Show nothing any more. */
  stop(): void;
}

export function stateView(
  { statePath, dataFolder }: SpecFolder,
  memory: RunMemory,
  origin: Origin,
  checkFence: () => void,
): StateView {
  const first = readStateFile(statePath);
  let before = first.kind === "read" ? first.state : null;
  let shown: Plan;
  const described = () => describeState(before, stateFacts(shown, memory, origin));
  const view = pausedView(() => {
    checkFence();
    const standing = readStateFile(statePath);
    if (standing.kind === "read") before = standing.state;
    writeStateFile(statePath, described(), draftPath(dataFolder, "state"), checkFence);
  });
  return {
    show: (plan) => {
      shown = plan;
      view.refresh();
    },
    refresh: () => view.refresh(),
    stop: () => view.stop(),
    end: (plan, complete) => {
      shown = plan;
      if (complete) {
        view.stop();
        checkFence();
        removeStateFile(statePath);
        return;
      }
      view.refresh();
      view.flush();
    },
  };
}

/** A name for what stands in a state file, by which a later start knows whether others have changed it. */
const stateHashOf = (reading: StateReading): string | null =>
  reading.kind === "read" ? hashOf(JSON.stringify(reading.state)) : null;

/** What the end of a start says of the state file as it leaves it; nothing where that cannot be read. */
export function leftState({ statePath }: SpecFolder): { stateHash?: string } {
  try {
    const stateHash = stateHashOf(readStateFile(statePath));
    return stateHash === null ? {} : { stateHash };
  } catch (error) {
    if (error instanceof FixpointError) return {};
    throw error;
  }
}

/** Whether others have changed the state file since the start before has left it, as far as that has told. */
export const isChangedByOthers = (reading: StateReading, { ended }: Pick<Origin, "ended">): boolean =>
  ended?.stateHash !== undefined && reading.kind === "read" && stateHashOf(reading) !== ended.stateHash;

function stateFacts(plan: Plan, memory: RunMemory, { policy, open }: Origin): StateFacts {
  const next = nextTask(planWithout(plan, memory.superseded().keys()));
  const { iterations, tasks } = memory.ledger;
  return {
    taskIndex: next === null ? plan.tasks.length : plan.tasks.findIndex(({ id }) => id === next.root),
    totalTasks: plan.tasks.length,
    taskIteration: next === null ? 1 : spentOn(tasks, next.current).retries + 1,
    iterations,
    policy,
    maxGlobalIterations: globalCap(policy, open),
    spent: tasks,
    lastError: (task) => memory.intended(spentOn(tasks, task).fixes.at(-1) ?? "")?.error,
    parallelGroup: groupOf(plan, memory.batch),
    changes: memory.changes,
  };
}

function groupOf({ tasks }: Plan, batch: readonly TaskId[]): StateFacts["parallelGroup"] {
  const taskIndices = batch.map((member) => tasks.findIndex(({ id }) => id === member));
  const [startIndex, endIndex] = [taskIndices[0], taskIndices.at(-1)];
  if (startIndex === undefined || endIndex === undefined) return null;
  return { startIndex, endIndex, taskIndices, isParallel: true };
}
