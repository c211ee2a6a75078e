import type { PlanDocument } from "../../../src/markdown/document/plan-document.ts";
import type { Task } from "../../../src/model/task.ts";

export const saying = ({ plan, text }: PlanDocument) => ({
  text,
  dialect: plan.dialect,
  tasks: plan.tasks.map(({ fields, ...task }) => ({ ...task, fields: { ...fields } })),
  phases: plan.phases,
  problems: plan.problems,
});

/** Excludes positions, and the text of parents, which grows with nested tasks. */
export const saidOfTasks = ({ plan, text }: PlanDocument) =>
  plan.tasks.map(({ id, title, markers, done, phase, fixOf, parent, fields, start, end }, index) => ({
    ...{ id, title, markers: [...markers], done, phase, fixOf, parent },
    ...((plan.tasks[index + 1]?.start ?? end) < end ? {} : { fields: { ...fields }, text: text.slice(start, end) }),
  }));

export function pickTask(tasks: readonly Task[], which: number): Task | null {
  const task = tasks[which % Math.max(1, tasks.length)];
  return task === undefined || tasks.some((other) => other !== task && other.id === task.id) ? null : task;
}
