import * as z from "zod";

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
export type ParallelGroup = z.infer<typeof ParallelGroup>;

/** How far a task of the group is, by its index. */
const TaskResult = z.looseObject({
  status: z.enum(["pending", "success", "failed"]),
  /** What its last attempt failed with, as far as that is known. */
  error: z.string().optional(),
});
export type TaskResult = z.infer<typeof TaskResult>;

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
  maxTaskIterations: z.int().min(1).default(5),
  globalIteration: count.default(1),
  maxGlobalIterations: z.int().min(1).default(100),
  recoveryMode: z.boolean().default(false),
  maxFixTasksPerOriginal: count.default(3),
  maxFixTaskDepth: count.default(3),
  fixTaskMap: z.record(z.string(), FixTaskEntry).default({}),
  /** Null while one task is done on its own. */
  parallelGroup: ParallelGroup.nullish(),
  /** Of the tasks in the group, by their indices; empty while one task is done on its own. */
  taskResults: z.record(z.string(), TaskResult).nullish(),
  modificationMap: z.record(z.string(), ModificationEntry).nullish(),
});
export type ExecutionState = z.infer<typeof ExecutionState>;

/** What stands in a state file: any part of the state, and fields of others. Null is as good as absent. */
export const StateFile = z.looseObject({
  phase: z.string().nullish(),
  taskIndex: count.nullish(),
  totalTasks: count.nullish(),
  taskIteration: count.nullish(),
  maxTaskIterations: z.int().min(1).nullish(),
  globalIteration: count.nullish(),
  maxGlobalIterations: z.int().min(1).nullish(),
  recoveryMode: z.boolean().nullish(),
  maxFixTasksPerOriginal: count.nullish(),
  maxFixTaskDepth: count.nullish(),
  fixTaskMap: z.record(z.string(), FixTaskEntry).nullish(),
  modificationMap: z.record(z.string(), ModificationEntry).nullish(),
});
export type StateFile = z.infer<typeof StateFile>;
