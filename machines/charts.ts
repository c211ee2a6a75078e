import { createBatchMachine } from "./batch.ts";
import { createEscalationMachine } from "./escalation.ts";
import { createPullRequestMachine } from "./pull-request.ts";
import { createSpecMachine } from "./spec.ts";
import { createTaskMachine } from "./task.ts";

/** All statecharts, by id. */
export const charts = {
  task: createTaskMachine,
  escalation: createEscalationMachine,
  batch: createBatchMachine,
  pullRequest: createPullRequestMachine,
  spec: createSpecMachine,
};
