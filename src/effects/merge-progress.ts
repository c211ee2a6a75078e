import type { Answer, EffectInput } from "../model/effect.ts";
import { spentOn } from "../model/ledger.ts";
import type { Task, TaskId } from "../model/task.ts";
import { commitSpec, commitWork } from "./commit-work.ts";
import { mergeWork, noteMerge } from "./merge-work.ts";
import { logPass } from "./record-pass.ts";
import type { WholePorts } from "./with-memory.ts";

/** Log a batch's passed tasks in the progress log, in plan order, and merge the members' own logs. Idempotent. */
export async function mergeProgress(
  ports: WholePorts,
  { key, logs, commit, checkMerged }: EffectInput<"mergeProgress">,
  signal: AbortSignal,
): Promise<Answer<"mergeProgress">> {
  const { documents, attempts, plan } = ports;
  const merged = await mergeWork(ports, { key, checkMerged }, signal);
  const tasks = await plan.exclusively(async () => {
    const owed = (await plan.known()).plan.tasks.filter(({ id }) => attempts.unlogged().has(id));
    // A merged task is committed, even if it is redone because it broke a check.
    const there = owed.filter(({ id }) => (merged?.collided[id]?.files.length ?? 0) === 0);
    const made = commit === "all" ? await commitEach(ports, there) : new Map<TaskId, string | null>();
    if (merged !== null) await noteMerge(ports, merged);
    const unlogged = attempts.unlogged();
    const passed = owed.filter(({ id }) => unlogged.has(id));
    for (const task of orderedByPass(passed)) {
      const { fixes } = spentOn(attempts.spent(task.id), task.id);
      await logPass(ports, { task, commit: unlogged.get(task.id) ?? made.get(task.id) ?? null, fixes });
    }
    await documents.merge(logs);
    return passed.map(({ id }) => id);
  });
  if (commit !== false && tasks.length > 0) await commitSpec(ports, tasks);
  return { kind: "merged" };
}

/**
 * Commit the work of members in plan order. Each member with its own worktree gets one commit, with its fixes. All
 * other members share one commit, because their changes cannot be told apart. A file that several members changed is in
 * the first of their commits.
 *
 * @returns Commit of each task; null if there was nothing to commit.
 */
async function commitEach(ports: WholePorts, tasks: readonly Task[]): Promise<ReadonlyMap<TaskId, string | null>> {
  const { attempts } = ports;
  const groups = new Map<TaskId | null, Task[]>();
  for (const task of tasks) {
    const root = attempts.rootOf(task.id);
    const member = attempts.wasApart(root) ? root : null;
    groups.set(member, [...(groups.get(member) ?? []), task]);
  }
  const made = new Map<TaskId, string | null>();
  for (const [, group] of [...groups].sort(([one], [other]) => Number(one === null) - Number(other === null))) {
    const commit = await commitWork(ports, group, null);
    for (const { id } of group) made.set(id, commit);
  }
  return made;
}

/** Sort each task after its own fixes, which passed first. */
function orderedByPass(tasks: readonly Task[]): Task[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const withFixes = (task: Task): Task[] => [
    ...tasks.filter(({ fixOf }) => fixOf === task.id).flatMap(withFixes),
    task,
  ];
  return tasks.filter(({ fixOf }) => fixOf === null || !ids.has(fixOf)).flatMap(withFixes);
}
