import type { PlanDocument } from "../markdown/document/plan-document.ts";
import { fixEdit } from "../markdown/insert-fix-task.ts";
import { applyChange } from "../markdown/insert-tasks.ts";
import { tickedIn } from "../markdown/tick-task.ts";
import type { Plan } from "../model/plan.ts";
import { isWritten, type RunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task-id.ts";

/** An edit of the plan that was recorded before it was made. */
export interface Intention {
  /** Tasks it writes. */
  readonly ids: readonly TaskId[];
  /** The plan with the edit made; the texts of tasks that stand there already stay as they are. */
  readonly apply: (plan: PlanDocument) => PlanDocument;
}

/** What is intended, by the key of the effect that makes it, but for what was taken back later. */
export function intentionsIn(records: readonly RunRecord[]): ReadonlyMap<string, Intention> {
  const intentions = new Map<string, Intention>();
  for (const record of records) {
    if (record.type === "intended") intentions.set(`${record.key}/insertFix`, fixIntention(record));
    if (record.type === "planned") intentions.set(`${record.key}/changePlan`, changeIntention(record));
    if (record.type === "addition") intentions.set(record.key, changeIntention(record));
    if (record.type === "withdrawn") intentions.delete(`${record.key}/changePlan`);
    // Its id may be given to a later fix.
    if (record.type !== "dropped") continue;
    for (const [key, { ids }] of intentions) if (ids.includes(record.fix)) intentions.delete(key);
  }
  return intentions;
}

/** Keys of the effects whose answers say that what was intended has been made. */
export const madeIn = (records: readonly RunRecord[]): ReadonlySet<string> =>
  new Set(records.flatMap((record) => (record.type === "answered" && isWritten(record) ? [record.key] : [])));

/** Whether all tasks of an edit stand in a plan. */
export const standsIn = ({ tasks }: Pick<Plan, "tasks">, { ids }: Pick<Intention, "ids">): boolean =>
  ids.every((wanted) => tasks.some(({ id }) => id === wanted));

const fixIntention = ({ fix }: Extract<RunRecord, { type: "intended" }>): Intention => ({
  ids: [fix.id],
  apply: (plan) => fixEdit(plan, fix).after,
});

function changeIntention({ plan: change }: Extract<RunRecord, { type: "planned" | "addition" }>): Intention {
  const ids = change.tasks.map(({ id }) => id);
  return {
    ids,
    apply: (plan) => {
      if (!standsIn(plan.plan, { ids })) return applyChange(plan, change);
      // Others may have written about them since.
      return change.tick === true ? tickedIn(plan, change.task, true) : plan;
    },
  };
}
