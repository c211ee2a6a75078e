import { readPaths } from "../markdown/lint/find-shared-files.ts";
import { plainLine } from "../markdown/text/plain-line.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import { spentOn } from "../model/ledger.ts";
import { pathsOverlap } from "../model/paths.ts";
import type { Question } from "../model/person-event.ts";
import { type NextTask, nextBatch, nextTree, type Plan } from "../model/plan.ts";
import type { Member } from "../model/run-effects.ts";
import { doneGroups } from "../model/select-work.ts";
import { isCleanup, kindOf, type Task } from "../model/task.ts";
import { renderParked } from "../wording/render-parked.ts";
import { closeDone, closeNeedless } from "./close-fixes.ts";
import { handsOut } from "./executor-chain.ts";
import { mergeProgress } from "./merge-progress.ts";
import { isCheckDue, remainingWork } from "./remaining-work.ts";
import { revertUnverifiedTicks } from "./revert-unverified-ticks.ts";
import type { WholePorts } from "./with-memory.ts";

/** Choose the first open task of the plan, or the batch that begins with it, and the task to resume in each tree. */
export async function chooseTask(
  ports: WholePorts,
  {
    key,
    maxParallel,
    commit,
    ships = false,
    optional = false,
    unattended = false,
    verifyBefore = false,
    checkMerged,
  }: EffectInput<"chooseTask">,
  signal: AbortSignal,
): Promise<Answer<"chooseTask">> {
  const { attempts } = ports;
  await closeDone(ports);
  await closeNeedless(ports);
  await closeGroups(ports, optional);
  // Write the log lines that an abandoned batch did not write.
  if (attempts.unlogged().size > 0) {
    await mergeProgress(ports, { key, logs: [...attempts.unlogged().keys()], commit, checkMerged }, signal);
  }
  const parked = attempts.parked();
  // No verdict clears the ticks of parked attempts.
  if (parked.size > 0) await revertUnverifiedTicks(ports);
  const { plan: whole, work: known, asking, waiting } = await remainingWork(ports, { ships, optional, unattended });
  await logSkips(ports);
  attempts.opened(() => known.tasks.filter(({ done }) => !done).length);
  if (isCheckDue(ports, { plan: whole, work: known, verifyBefore })) return { kind: "check" };
  // A member in a worktree does not see the work of earlier members, so it must not depend on them.
  const isBeside = ports.worktrees === undefined || handsOut(ports.executors);
  const members = maxParallel > 1 ? nextBatch(known, attempts.sequential()) : null;
  const batch = members === null ? [] : withOrder(known, members).filter(({ after }) => isBeside || after.length === 0);
  if (batch.length > 1) return { kind: "batch", members: batch, width: maxParallel };
  const next = nextTree(known);
  if (next === null) return asking.length === 0 ? { kind: "none" } : renderParked(parked, { asking, waiting });
  const { root, current } = next;
  if (current.aside === "person") return forPerson(current);
  const chosen = { kind: "task", root: root.id, current: current.id } as const;
  return kindOf(root) === "end-to-end" ? { ...chosen, alwaysFixed: true } : chosen;
}

async function closeGroups({ plan }: WholePorts, optional: boolean): Promise<void> {
  const { tasks } = (await plan.known()).plan;
  if (!tasks.some(({ isGroup }) => isGroup === true)) return;
  for (const id of doneGroups(tasks, { optional })) await plan.exclusively(() => plan.tick(id, true));
}

const forPerson = ({ id, title }: Task): Question => ({
  kind: "gate",
  reason: `Task ${id} is for a person: ${plainLine(title, longestTitle)}`,
  hint: "When it is done, tick its box in tasks.md and run again; `--unattended` continues without it.",
});

const longestTitle = 200;

/**
 * Log skipped tasks in the progress log, between turns, so that the order in which batch members end does not matter.
 */
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

/** Let members that name the same files run one after the other, in plan order. */
function withOrder({ tasks }: Plan, members: readonly NextTask[]): Member[] {
  const files = new Map(tasks.map(({ id, fields }) => [id, readPaths(fields.files ?? "")]));
  const pathsOf = ({ root }: NextTask): readonly string[] => files.get(root) ?? [];
  return members.map((member, index) => ({
    ...{ root: member.root, current: member.current },
    after: members
      .slice(0, index)
      .filter((earlier) => pathsOf(earlier).some((path) => pathsOf(member).some((own) => pathsOverlap(path, own))))
      .map(({ root }) => root),
  }));
}

/** Choose the next open cleanup task, which runs even if the run must stop. */
export async function chooseCleanup(
  { plan, attempts }: WholePorts,
  { done }: EffectInput<"chooseCleanup">,
): Promise<Answer<"chooseCleanup">> {
  const { tasks } = (await plan.known()).plan;
  const isOpen = (task: Task): boolean => !task.done && !attempts.skipped().has(task.id) && !done.includes(task.id);
  const next = tasks.find((task) => task.fixOf === null && isCleanup(task) && isOpen(task));
  if (next === undefined) return { kind: "none" };
  return { kind: "task", root: next.id, current: next.id };
}
