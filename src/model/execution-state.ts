import * as z from "zod";
import { type SpentByTask, spentOn } from "./ledger.ts";
import type { Policy } from "./policy.ts";

const count = z.int().min(0);

/** What `fixTaskMap` says of one task. */
const FixTaskEntry = z.looseObject({
  attempts: count.default(0),
  fixTaskIds: z.array(z.string()).default([]),
  lastError: z.string().nullish(),
});

/** What `modificationMap` says of one task. */
const ModificationEntry = z.looseObject({ count: count.default(0) });

/** The tasks that are done side by side, by their indices. */
const ParallelGroup = z.looseObject({
  startIndex: count,
  endIndex: count,
  taskIndices: z.array(count),
  isParallel: z.boolean(),
});
type ParallelGroup = z.infer<typeof ParallelGroup>;

/** How far a task of the group is, by its index. */
const TaskResult = z.looseObject({
  status: z.enum(["pending", "success", "failed"]),
  /** What its last attempt failed with, as far as that is known. */
  error: z.string().optional(),
});
export type TaskResult = z.infer<typeof TaskResult>;

/** The limits in it, with the defaults of the source system. */
const limits = z.object({
  maxTaskIterations: z.int().min(1).default(5),
  maxGlobalIterations: z.int().min(1).default(100),
  maxFixTasksPerOriginal: count.default(3),
  maxFixTaskDepth: count.default(3),
});
export const limitsOfState = limits.keyof().options;

/**
 * `.ralph-state.json` in the schema of the source system. A view of the run: fields that are not named here are kept
 * as they are.
 *
 * @see docs/formats.md
 */
export const ExecutionState = z.looseObject({
  phase: z.string().default("execution"),
  /** Whether the run waits for a person to answer. */
  awaitingApproval: z.boolean().default(false),
  /** Index of the task that is being finished, counted from 0; derived from the plan. */
  taskIndex: count.default(0),
  totalTasks: count.default(0),
  taskIteration: count.default(1),
  globalIteration: count.default(1),
  ...limits.shape,
  recoveryMode: z.boolean().default(false),
  fixTaskMap: z.record(z.string(), FixTaskEntry).default({}),
  /** Null while one task is done on its own. */
  parallelGroup: ParallelGroup.nullish(),
  /** Of the tasks in the group, by their indices; empty while one task is done on its own. */
  taskResults: z.record(z.string(), TaskResult).nullish(),
  modificationMap: z.record(z.string(), ModificationEntry).nullish(),
});
export type ExecutionState = z.infer<typeof ExecutionState>;

/** What stands in a state file: any part of the state, and fields of others. Null is as good as absent. */
export type StateFile = Record<string, unknown> & {
  readonly [Field in Checked]?: ExecutionState[Field] | null | undefined;
};
type Checked = keyof typeof checked.shape;
const checked = ExecutionState.omit({ awaitingApproval: true, parallelGroup: true, taskResults: true });
export const StateFile = z.looseObject(
  Object.fromEntries(
    Object.entries(checked.shape).map(([field, value]) => [
      field,
      value instanceof z.ZodDefault ? value.removeDefault().nullish() : value,
    ]),
  ),
) as z.ZodType<StateFile>;

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
