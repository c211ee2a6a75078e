import { readPaths } from "../markdown/lint/read-paths.ts";
import type { Chosen, Member } from "../model/chosen.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import { noEscalation } from "../model/escalation.ts";
import { spentOn } from "../model/ledger.ts";
import { planWithout } from "../model/left-out.ts";
import { nextBatch } from "../model/next-batch.ts";
import { type NextTask, nextTree, type Plan } from "../model/plan.ts";
import { kindOf } from "../model/task-kind.ts";
import type { Attempts } from "../ports/attempts.ts";
import { pathsOverlap } from "../recover/paths-overlap.ts";
import { closeDone, closeNeedless } from "./close-fixes.ts";
import { mergeProgress } from "./merge-progress.ts";
import { openMilestones } from "./shipping/milestones.ts";
import type { WholePorts } from "./with-memory.ts";

/** Look up the first open task of the plan or the batch it begins, where to go on in it, and what that has spent. */
export async function chooseTask(
  ports: WholePorts,
  { key, maxParallel, commit, ships = false }: EffectInput<"chooseTask">,
): Promise<Answer<"chooseTask">> {
  const { plan, attempts } = ports;
  await closeDone(ports);
  await closeNeedless(ports);
  const superseded = attempts.superseded().keys();
  const milestones = ships ? (await openMilestones(ports)).keys() : [];
  const known = planWithout((await plan.known()).plan, [...attempts.skipped().keys(), ...superseded, ...milestones]);
  await logSkips(ports);
  // Of a batch that was left before its end.
  if (attempts.unlogged().size > 0) await mergeProgress(ports, { key, logs: [...attempts.unlogged().keys()], commit });
  attempts.opened(() => known.tasks.filter(({ done }) => !done).length);
  const members = maxParallel > 1 ? nextBatch(known, attempts.sequential()) : null;
  if (members !== null) return { kind: "batch", members: withOrder(known, members, attempts) };
  const next = nextTree(known);
  if (next === null) return ships ? { kind: "none", pullRequest: attempts.pullRequest() } : { kind: "none" };
  const { root, current } = next;
  const chosen = { kind: "task", ...standingOf(attempts, { root: root.id, current: current.id }) } as const;
  return kindOf(root) === "end-to-end" ? { ...chosen, alwaysFixed: true } : chosen;
}

/** Tell in the progress log which tasks are left out: behind a batch, so that its order changes nothing. */
async function logSkips({ plan, attempts, documents }: WholePorts): Promise<void> {
  const skipped = attempts.skipped();
  if (skipped.size === 0) return;
  const superseded = [...attempts.superseded().keys()];
  for (const { id: task, done } of (await plan.known()).plan.tasks) {
    if (done || !skipped.has(task)) continue;
    const { fixes } = spentOn(attempts.spent(task), task);
    if (fixes.length + attempts.escalation(task).failures === 0) continue;
    await plan.exclusively(() => documents.append({ kind: "fixes", task, fixes, superseded, final: "SKIPPED" }));
  }
}

/** Members that name the same files are done one after the other, in the order of the plan. */
function withOrder({ tasks }: Plan, members: readonly NextTask[], attempts: Attempts): Member[] {
  const files = new Map(tasks.map(({ id, fields }) => [id, readPaths(fields.files ?? "")]));
  const pathsOf = ({ root }: NextTask): readonly string[] => files.get(root) ?? [];
  return members.map((member, index) => ({
    ...standingOf(attempts, member),
    after: members
      .slice(0, index)
      .filter((earlier) => pathsOf(earlier).some((path) => pathsOf(member).some((own) => pathsOverlap(path, own))))
      .map(({ root }) => root),
  }));
}

/** What a tree has spent, how far up its ladder it is, what its executor asks, and what a person has advised for it. */
function standingOf(attempts: Attempts, { root, current }: NextTask): Chosen {
  const escalation = attempts.escalation(root);
  const guidance = attempts.guidance(root);
  const repairs = attempts.repairs(root);
  const question = attempts.openQuestion(current);
  return {
    ...{ root, current },
    spent: attempts.spent(root),
    ...(attempts.isRepaired(current) && { repaired: true }),
    ...(escalation !== noEscalation && { escalation }),
    ...(question !== null && { question }),
    ...(guidance !== null && { guidance }),
    ...(repairs.length > 0 && { repairs: [...repairs] }),
  };
}
