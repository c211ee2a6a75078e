export type { SpecContext } from "../src/model/spec-context.ts";
export type { TaskContext } from "../src/model/task-context.ts";
export type { TaskOutcome } from "../src/model/task-outcome.ts";
export { type BatchInput, type BatchOutcome, createBatchMachine } from "./batch.ts";
export { createSpecMachine, type SpecInput, type SpecOutcome } from "./spec.ts";
export { createTaskMachine, type TaskInput } from "./task.ts";
