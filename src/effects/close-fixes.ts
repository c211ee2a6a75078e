import { nextTree, type Plan } from "../model/plan.ts";
import { leftOut, planWithout } from "../model/plan-parts.ts";
import type { TaskId } from "../model/task.ts";
import type { Attempts } from "../ports/attempts.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Close fix tasks that are no longer needed because the repaired task is done: superseded and skipped fix tasks. Each
 * closed task is ticked, with a note in its block. Idempotent.
 *
 * @param repaired The task that the fixes were made for.
 */
export async function closeFixes(ports: Pick<WholePorts, "attempts" | "plan">, repaired: TaskId): Promise<void> {
  const { attempts, plan } = ports;
  const { tasks } = (await plan.known()).plan;
  for (const [id, { fixOf, by }] of closable({ tasks }, attempts)) {
    if (fixOf !== repaired) continue;
    await attempts.noteClosed(id, by);
    await plan.close(id, by);
    // A superseded fix may have fixes of its own.
    await closeFixes(ports, id);
  }
}

/**
 * Close pending fix tasks whose repaired task a person has ticked. Only fix tasks of this run are closed, never those
 * that a person wrote.
 */
export async function closeNeedless(ports: Pick<WholePorts, "attempts" | "plan">): Promise<void> {
  const { attempts, plan } = ports;
  for (;;) {
    const known = planWithout((await plan.known()).plan, [
      ...attempts.skipped().keys(),
      ...attempts.superseded().keys(),
    ]);
    const next = nextTree(known)?.root;
    if (next === undefined || next.fixOf === null) return;
    const { id, fixOf } = next;
    const made = attempts.intended(id);
    if (made === null || made.late === true || !isTicked(known, fixOf)) return;
    await plan.exclusively(async () => {
      await attempts.noteClosed(id, fixOf);
      await plan.close(id, fixOf);
    });
  }
}

const isTicked = ({ tasks }: Pick<Plan, "tasks">, task: TaskId): boolean =>
  tasks.some(({ id, done }) => id === task && done);

/**
 * Close the unneeded fixes of every done task. Such fixes stay open if a person ticks the task, or if a start is
 * killed.
 */
export async function closeDone(ports: Pick<WholePorts, "attempts" | "plan">): Promise<void> {
  const { tasks } = (await ports.plan.known()).plan;
  const repaired = [...closable({ tasks }, ports.attempts).values()].map(({ fixOf }) => fixOf);
  if (repaired.length === 0) return;
  const done = new Set(tasks.filter((task) => task.done).map(({ id }) => id));
  for (const task of new Set(repaired)) {
    if (done.has(task)) await ports.plan.exclusively(() => closeFixes(ports, task));
  }
}

function closable({ tasks }: Pick<Plan, "tasks">, attempts: Attempts): ReadonlyMap<TaskId, Closable> {
  const superseded = attempts.superseded();
  const out = leftOut({ tasks }, attempts.skipped().keys());
  if (superseded.size === 0 && out.size === 0) return new Map();
  return new Map(
    tasks.flatMap(({ id, fixOf, done }) => {
      if (done || fixOf === null) return [];
      const by = superseded.get(id) ?? (out.has(id) ? fixOf : null);
      return by === null ? [] : [[id, { fixOf, by }] as const];
    }),
  );
}

interface Closable {
  readonly fixOf: TaskId;
  readonly by: TaskId;
}
