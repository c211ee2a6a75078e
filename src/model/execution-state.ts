import * as z from "zod";
import { type SpentByTask, spentOn } from "./ledger.ts";
import type { Policy } from "./policy.ts";

const count = z.int().min(0);

const FixTaskEntry = z.looseObject({
  attempts: count.default(0),
  fixTaskIds: z.array(z.string()).default([]),
  lastError: z.string().nullish(),
});

const ModificationEntry = z.looseObject({ count: count.default(0) });

const ParallelGroup = z.looseObject({
  startIndex: count,
  endIndex: count,
  taskIndices: z.array(count),
  isParallel: z.boolean(),
});
type ParallelGroup = z.infer<typeof ParallelGroup>;

const TaskResult = z.looseObject({
  status: z.enum(["pending", "success", "failed"]),
  error: z.string().optional(),
});
export type TaskResult = z.infer<typeof TaskResult>;

/** Limits in the state file. The defaults are those of the source system. */
const limits = z.object({
  maxTaskIterations: z.int().min(1).default(5),
  maxGlobalIterations: z.int().min(1).default(100),
  maxFixTasksPerOriginal: count.default(3),
  maxFixTaskDepth: count.default(3),
});
export const limitsOfState = limits.keyof().options;

/**
 * `.ralph-state.json` in the schema of the source system. A run writes this file as a view of its state, and keeps
 * unknown fields.
 *
 * @see docs/formats.md
 */
export const ExecutionState = z.looseObject({
  phase: z.string().default("execution"),
  awaitingApproval: z.boolean().default(false),
  /** Index of the current task in the plan, from 0. */
  taskIndex: count.default(0),
  totalTasks: count.default(0),
  taskIteration: count.default(1),
  globalIteration: count.default(1),
  ...limits.shape,
  recoveryMode: z.boolean().default(false),
  fixTaskMap: z.record(z.string(), FixTaskEntry).default({}),
  /** Null while a single task runs. */
  parallelGroup: ParallelGroup.nullish(),
  /** By index of the task; empty while a single task runs. */
  taskResults: z.record(z.string(), TaskResult).nullish(),
  modificationMap: z.record(z.string(), ModificationEntry).nullish(),
});
export type ExecutionState = z.infer<typeof ExecutionState>;

/** Content of a state file: any subset of the fields, and fields of other tools. Null counts as absent. */
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

/** Fields that a run sets; all other fields belong to other tools. */
export interface StateFacts {
  readonly awaitingApproval: boolean;
  readonly taskIndex: number;
  readonly totalTasks: number;
  readonly taskIteration: number;
  readonly iterations: number;
  readonly policy: Policy;
  readonly maxGlobalIterations: number;
  readonly spent: SpentByTask;
  /** Tasks with at least one fix task. */
  readonly repaired: readonly string[];
  /** Error that the last fix task of a task repairs. */
  readonly lastError: (task: string) => string | undefined;
  /** Null while a single task runs. */
  readonly parallelGroup: ParallelGroup | null;
  /** By index of the task. */
  readonly taskResults: Readonly<Record<number, TaskResult>>;
  /** Number of plan changes, by the task that requested them. */
  readonly changes: Readonly<Record<string, number>>;
}

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
  // The run's own fields come first in a fixed order, whatever order the file had.
  return { ...own, ...before, ...own };
}

/** Group fix tasks by the task that they repair. A file of another tool may list a fix task under several tasks. */
function fixesIn(before: StateFile | null, { spent, repaired }: StateFacts): [task: string, fixes: string[]][] {
  const tasks = new Set([...Object.keys(before?.fixTaskMap ?? {}), ...repaired]);
  return [...tasks].flatMap((task) => {
    const { fixes } = spentOn(spent, task);
    return fixes.length > 0 ? [[task, fixes]] : [];
  });
}

/**
 * Fields about the parallel group; absent if there is no group now and the file had no group. Data of an earlier group
 * is removed.
 */
const describeGroup = (
  before: StateFile | null,
  { parallelGroup, taskResults }: StateFacts,
): Pick<ExecutionState, "parallelGroup" | "taskResults"> => ({
  ...((parallelGroup !== null || before?.["parallelGroup"] !== undefined) && { parallelGroup }),
  ...((parallelGroup !== null || before?.["taskResults"] !== undefined) && { taskResults: { ...taskResults } }),
});
