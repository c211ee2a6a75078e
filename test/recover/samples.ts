import type { CompletionEvidence } from "../../src/model/evidence.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Task } from "../../src/model/task.ts";

/** A task as a plan holds it. */
export const task = (id: string, part: Partial<Task> = {}): Task => ({
  id,
  title: `Task ${id}`,
  markers: [],
  done: false,
  phase: null,
  fields: { do: `Do ${id}`, files: `src/${id}.ts`, verify: "`npm test`" },
  fixOf: null,
  parent: null,
  line: 1,
  start: 0,
  end: 0,
  box: 0,
  ...part,
});

export const plan = (...tasks: readonly Task[]): Plan => ({
  dialect: "checklist",
  tasks,
  phases: [],
  problems: [],
});

/** A sound claim for task 1.2 of three, 1.1 being done; Verify was not yet run. */
export function evidence(part: Partial<CompletionEvidence> = {}): CompletionEvidence {
  const before = plan(task("1.1", { done: true }), task("1.2"), task("1.3"));
  return {
    task: { id: "1.2", markers: [] },
    reply: { text: "TASK_COMPLETE" },
    signal: "complete",
    contradiction: null,
    before,
    after: part.before ?? before,
    requireExecutorTick: false,
    verify: null,
    madeFor: null,
    ...part,
  };
}
