export type { EscalationEvent, FailedAttempt } from "../src/model/escalation.ts";
export type { EscalationContext } from "../src/model/escalation-context.ts";
export { createBatchMachine } from "./batch.ts";
export type { BatchContext, BatchInput, BatchMachine, BatchOutcome } from "./batch-machine.ts";
export {
  createEscalationMachine,
  type EscalationEmitted,
  type EscalationInput,
  type EscalationMachine,
} from "./escalation.ts";
export {
  createPullRequestMachine,
  type PullRequestContext,
  type PullRequestMachine,
  type PullRequestOutcome,
} from "./pull-request.ts";
export { createSpecMachine, type SpecContext, type SpecMachine, type SpecOutcome, type Stopped } from "./spec.ts";
export { createTaskMachine } from "./task.ts";
export type { TaskContext, TaskInput, TaskMachine, TaskOutcome } from "./task-machine.ts";
