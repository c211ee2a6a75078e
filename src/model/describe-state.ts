import type { ExecutionState, ParallelGroup, StateFile, TaskResult } from "./execution-state.ts";
import { type SpentByTask, spentOn } from "./ledger.ts";
import type { Policy } from "./policy.ts";

/** The state file's fields that a run determines; all others in it belong to others. */
export interface StateFacts {
  /** Whether it waits for a person to answer. */
  readonly awaitingApproval: boolean;
  readonly taskIndex: number;
  readonly totalTasks: number;
  readonly taskIteration: number;
  readonly iterations: number;
  readonly policy: Policy;
  readonly maxGlobalIterations: number;
  readonly spent: SpentByTask;
  /** Tasks for which fix tasks were made, each at least once. */
  readonly repaired: readonly string[];
  /** The error the last fix of a task was made for. */
  readonly lastError: (task: string) => string | undefined;
  /** Null while one task is done on its own. */
  readonly parallelGroup: ParallelGroup | null;
  /** How far the tasks of the group are, by their indices. */
  readonly taskResults: Readonly<Record<number, TaskResult>>;
  /** Changes of the plan, by the task that asked for them. */
  readonly changes: Readonly<Record<string, number>>;
}

/** The state file as it should stand, over what stood in it. */
export function describeState(before: StateFile | null, facts: StateFacts): ExecutionState {
  const { awaitingApproval, taskIndex, totalTasks, taskIteration, iterations } = facts;
  const { policy, maxGlobalIterations, lastError, changes } = facts;
  const own: ExecutionState = {
    phase: "execution",
    awaitingApproval,
    taskIndex,
    totalTasks,
    taskIteration,
    maxTaskIterations: policy.maxTaskIterations,
    globalIteration: iterations + 1,
    maxGlobalIterations,
    recoveryMode: policy.recovery.includes("fix"),
    maxFixTasksPerOriginal: policy.maxFixTasksPerOriginal,
    maxFixTaskDepth: policy.maxFixTaskDepth,
    fixTaskMap: Object.fromEntries(
      fixesIn(before, facts).map(([task, fixes]) => [
        task,
        {
          ...before?.fixTaskMap?.[task],
          attempts: fixes.length,
          fixTaskIds: [...fixes],
          lastError: lastError(task) ?? before?.fixTaskMap?.[task]?.lastError ?? "",
        },
      ]),
    ),
    ...describeGroup(before, facts),
    ...(Object.keys(changes).length > 0 && {
      modificationMap: {
        ...before?.modificationMap,
        ...Object.fromEntries(
          Object.entries(changes).map(([task, count]) => [task, { ...before?.modificationMap?.[task], count }]),
        ),
      },
    }),
  };
  // Our own fields come first and always in the same order, whatever the order in the file was.
  return { ...own, ...before, ...own };
}

/** Fix tasks by the task they were made for. A file of others may give one to several tasks. */
function fixesIn(before: StateFile | null, { spent, repaired }: StateFacts): [task: string, fixes: string[]][] {
  const tasks = new Set([...Object.keys(before?.fixTaskMap ?? {}), ...repaired]);
  return [...tasks].flatMap((task) => {
    const { fixes } = spentOn(spent, task);
    return fixes.length > 0 ? [[task, fixes]] : [];
  });
}

/** Nothing where no group is and none was. What is said there of an earlier group is not kept. */
const describeGroup = (
  before: StateFile | null,
  { parallelGroup, taskResults }: StateFacts,
): Pick<ExecutionState, "parallelGroup" | "taskResults"> => ({
  ...((parallelGroup !== null || before?.["parallelGroup"] !== undefined) && { parallelGroup }),
  ...((parallelGroup !== null || before?.["taskResults"] !== undefined) && { taskResults: { ...taskResults } }),
});
