import { readPaths } from "../markdown/lint/read-paths.ts";
import type { Chosen, Member } from "../model/chosen.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import { calm } from "../model/escalation.ts";
import { planWithout } from "../model/left-out.ts";
import { nextBatch } from "../model/next-batch.ts";
import { type NextTask, nextTask, type Plan } from "../model/plan.ts";
import type { TaskId } from "../model/task-id.ts";
import { kindOf } from "../model/task-kind.ts";
import type { Attempts } from "../ports/attempts.ts";
import { pathsOverlap } from "../recover/paths-overlap.ts";
import { closeSuperseded } from "./close-superseded.ts";
import { mergeProgress } from "./merge-progress.ts";
import type { WholePorts } from "./with-memory.ts";

/** Look up the first open task of the plan or the batch it begins, where to go on in it, and what that has spent. */
export async function chooseTask(
  ports: WholePorts,
  { key, maxParallel, commit }: EffectInput<"chooseTask">,
): Promise<Answer<"chooseTask">> {
  const { plan, attempts } = ports;
  await closeDone(ports);
  const superseded = attempts.superseded().keys();
  const known = planWithout((await plan.known()).plan, [...attempts.skipped().keys(), ...superseded]);
  // Of a batch that was left before its end.
  if (attempts.unlogged().size > 0) await mergeProgress(ports, { key, logs: [...attempts.unlogged().keys()], commit });
  attempts.beginTurn(known.tasks.filter(({ done }) => !done).length);
  const members = maxParallel > 1 ? nextBatch(known, attempts.sequential()) : null;
  attempts.beginBatch(members?.map(({ root }) => root) ?? []);
  if (members !== null) return { kind: "batch", members: withOrder(known, members, attempts) };
  const next = nextTask(known);
  if (next === null) return { kind: "none" };
  const task = known.tasks.find(({ id }) => id === next.root);
  const alwaysFixed = task !== undefined && kindOf(task) === "end-to-end";
  const chosen = { kind: "task", ...next, ...standingOf(attempts, next.root) } as const;
  return alwaysFixed ? { ...chosen, alwaysFixed } : chosen;
}

/** Close what is superseded of a task that a person has ticked meanwhile, or whose pass was not taken up again. */
async function closeDone(ports: WholePorts): Promise<void> {
  const { plan, attempts } = ports;
  if (attempts.superseded().size === 0) return;
  const { tasks } = (await plan.known()).plan;
  const done = new Set(tasks.filter((task) => task.done).map(({ id }) => id));
  const open = tasks.filter(
    ({ id, fixOf, done: isDone }) => !isDone && fixOf !== null && attempts.superseded().has(id),
  );
  for (const repaired of new Set(open.map(({ fixOf }) => fixOf as TaskId))) {
    if (done.has(repaired)) await plan.exclusively(() => closeSuperseded(ports, repaired));
  }
}

/** Members that name the same files are done one after the other, in the order of the plan. */
function withOrder({ tasks }: Plan, members: readonly NextTask[], attempts: Attempts): Member[] {
  const files = new Map(tasks.map(({ id, fields }) => [id, readPaths(fields.files ?? "")]));
  const pathsOf = ({ root }: NextTask): readonly string[] => files.get(root) ?? [];
  return members.map((member, index) => ({
    ...member,
    ...standingOf(attempts, member.root),
    after: members
      .slice(0, index)
      .filter((earlier) => pathsOf(earlier).some((path) => pathsOf(member).some((own) => pathsOverlap(path, own))))
      .map(({ root }) => root),
  }));
}

/** What a tree has spent, how far up its ladder it is, and what a person has advised for it. */
function standingOf(attempts: Attempts, root: TaskId): Omit<Chosen, "root" | "current"> {
  const escalation = attempts.escalation(root);
  const guidance = attempts.guidance(root);
  const repairs = attempts.repairs(root);
  return {
    spent: attempts.spent(root),
    ...(escalation !== calm && { escalation }),
    ...(guidance !== null && { guidance }),
    ...(repairs.length > 0 && { repairs: [...repairs] }),
  };
}
