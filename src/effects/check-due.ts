import { isCheckedLater } from "../markdown/tasks/read-verify.ts";
import type { Plan } from "../model/plan.ts";
import type { Task } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

type Known = Pick<WholePorts, "attempts" | "check">;

/** Accepted tasks of the plan that the project check has not verified yet. */
export function tasksToCheck({ attempts, check }: Known, { tasks }: Pick<Plan, "tasks">): Task[] {
  const proofs = attempts.proofs();
  return tasks.filter((task) => task.done && proofs.get(task.id)?.kind === "unverified" && isCheckedLater(task, check));
}

/** Tasks that are still open. */
export const openIn = ({ tasks }: Pick<Plan, "tasks">): Task[] =>
  tasks.filter(({ done, isGroup }) => !done && isGroup !== true);

/**
 * Whether the project check is due: before the first task that it verifies, at the end of each phase with tasks to
 * verify, and at the end of the plan.
 *
 * @param work The remaining plan.
 */
export function isCheckDue(
  ports: Known,
  { plan, work, verifyBefore }: { readonly plan: Plan; readonly work: Plan; readonly verifyBefore: boolean },
): boolean {
  const { attempts, check } = ports;
  if (check == null || check.every === "task") return false;
  const open = openIn(work);
  const waiting = tasksToCheck(ports, plan);
  const last = attempts.checked();
  if (last === null && waiting.length === 0) return verifyBefore && open.some((task) => isCheckedLater(task, check));
  if (open.length === 0 || check.every === "end") return open.length === 0 && waiting.length > 0;
  const phases = new Set(open.map(({ phase }) => phase));
  return waiting.some(({ id, phase }) => !phases.has(phase) && last?.carried.includes(id) !== true);
}
