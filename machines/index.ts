export type { EscalationContext } from "../src/model/escalation-context.ts";
export type { EscalationEvent, FailedAttempt } from "../src/model/escalation-event.ts";
export type { PullRequestContext } from "../src/model/pull-request-context.ts";
export type { RepairContext } from "../src/model/repair-context.ts";
export type { SpecContext } from "../src/model/spec-context.ts";
export type { TaskContext } from "../src/model/task-context.ts";
export type { TaskOutcome } from "../src/model/task-outcome.ts";
export { type BatchInput, type BatchMachine, type BatchOutcome, createBatchMachine } from "./batch.ts";
export {
  createEscalationMachine,
  type EscalationEmitted,
  type EscalationInput,
  type EscalationMachine,
} from "./escalation.ts";
export { createPullRequestMachine, type PullRequestInput, type PullRequestMachine } from "./pull-request.ts";
export type { PullRequestOutcome } from "./pull-request-outcome.ts";
export type { PullRequestEmitted } from "./pull-request-setup.ts";
export {
  createRepairMachine,
  type RepairEmitted,
  type RepairInput,
  type RepairMachine,
  type RepairOutcome,
} from "./repair.ts";
export { createSpecMachine, type SpecMachine } from "./spec.ts";
export type { SpecInput } from "./spec-input.ts";
export type { SpecEmitted, SpecOutcome } from "./spec-outcome.ts";
export { createTaskMachine, type TaskMachine } from "./task.ts";
export type { TaskEmitted } from "./task-events.ts";
export type { TaskInput } from "./task-input.ts";
