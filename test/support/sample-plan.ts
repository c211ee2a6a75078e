import type { Plan } from "../../src/model/plan.ts";
import type { Task } from "../../src/model/task.ts";

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
