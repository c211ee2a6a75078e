import type { Dialect, Plan } from "../../model/plan.ts";
import type { Task } from "../../model/task.ts";
import { isGeneratedId } from "../tasks/generated-id.ts";

// Fields have to be read for it, so only of that many tasks.
const sample = 40;

/**
 * Tell the dialect of a plan by what most of its tasks have: ids such as `T001` or a user story, fields, ids that
 * repeat the number of their heading, or whole numbers among the ids. One without any of it is a checklist.
 */
export function readDialect({ tasks }: Pick<Plan, "tasks">): Dialect {
  const planned = tasks.filter(({ id, fixOf }) => fixOf === null && !isGeneratedId(id));
  if (isMost(planned, isOfSpecKit)) return "spec-kit";
  const first = tasks.filter(({ fixOf }) => fixOf === null).slice(0, sample);
  if (first.filter(hasFields).length * 4 > first.length) return "ralph-specum";
  if (isMost(planned, isNumberedByHeading)) return "openspec";
  const whole = new Set(planned.flatMap(({ id }) => (/^\d+$/.test(id) ? [id] : [])));
  return isMost(planned, ({ id }) => whole.has(id.split(".", 1).join())) ? "kiro" : "checklist";
}

const isMost = (tasks: readonly Task[], test: (task: Task) => boolean): boolean =>
  tasks.filter(test).length * 2 > tasks.length;

const isOfSpecKit = ({ id, markers }: Task): boolean =>
  /^T\d{3}/.test(id) || markers.some((marker) => /^US\d/.test(marker));

/** Whether a task has a field other than Files, which stands in plans of all kinds. */
const hasFields = ({ fields }: Task): boolean => Object.keys(fields).some((key) => key !== "files");

function isNumberedByHeading({ id, phase }: Task): boolean {
  const number = /^(\d+)[.):](?!\d)/.exec(phase ?? "")?.[1];
  return number !== undefined && id.startsWith(`${number}.`);
}
