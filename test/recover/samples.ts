import type { CompletionEvidence } from "../../src/model/evidence.ts";
import { plan, task } from "../support/sample-plan.ts";

export function evidence(part: Partial<CompletionEvidence> = {}): CompletionEvidence {
  const before = plan(task("1.1", { done: true }), task("1.2"), task("1.3"));
  return {
    task: { id: "1.2", markers: [] },
    reply: { text: "TASK_COMPLETE" },
    signal: "complete",
    blocker: null,
    contradiction: null,
    before,
    after: part.before ?? before,
    requireExecutorTick: false,
    beside: [],
    git: null,
    requireCommit: false,
    verify: null,
    reality: null,
    review: null,
    madeFor: null,
    ...part,
  };
}
