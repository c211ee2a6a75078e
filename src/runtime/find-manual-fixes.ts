import { runCheck } from "../effects/run-check.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { verifyToRerun, withCheck } from "../markdown/tasks/read-verify.ts";
import { attemptsOn, lastAttempt, spentOn } from "../model/ledger.ts";
import { type Plan, treesOf } from "../model/plan.ts";
import { planWithout, withBoxes } from "../model/plan-parts.ts";
import { projectCheck } from "../model/project-check.ts";
import { type AttemptKey, attemptKey, taskOf } from "../model/reply.ts";
import { selectWork } from "../model/select-work.ts";
import type { Task, TaskId } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import type { Shell } from "../ports/shell.ts";
import { verifyError } from "../recover/verify-error.ts";
import { rootOf } from "../run/spending.ts";
import { treeOf } from "../run/trees.ts";
import type { Start } from "./start.ts";

/** Results of Verify for the task that stopped the previous start, and for its fixes. */
export interface ManualFixes {
  /** Tasks whose Verify passes now; a fix task comes before the task that it repairs. */
  readonly mended: readonly { readonly key: AttemptKey; readonly verify: VerifyRun }[];
  /**
   * The first task that does not count as fixed; null if there is none. `error` is the error of the failed Verify, or
   * null if Verify passes but has never failed before.
   */
  readonly open: { readonly task: TaskId; readonly error: string | null } | null;
}

interface MendingTools {
  readonly memory: RunMemory;
  readonly shell: Shell;
  readonly workspace: string;
  readonly wasChanged: (task: TaskId) => boolean;
}

export const noManualFixes: ManualFixes = { mended: [], open: null };

/**
 * Check whether a person fixed the task that stopped the previous start: run the Verify of its open fixes, then the
 * Verify of the task itself. Do nothing if the person says how to continue, or changed the text of the task: the new
 * text must first be done.
 *
 * @param plan The known plan, boxes included.
 */
export async function findManualFixes(
  start: Pick<Start, "options" | "origin">,
  plan: Plan,
  { memory, shell, workspace, wasChanged }: MendingTools,
  signal: AbortSignal,
): Promise<ManualFixes> {
  const { verifyTimeout: timeoutMs } = start.origin.policy;
  const check = projectCheck(start.origin.policy);
  const mended: ManualFixes["mended"][number][] = [];
  const ran = new Map<string, VerifyRun>();
  const whole = planWithout(plan, [...memory.skipped().keys(), ...memory.superseded().keys()]);
  const known = selectWork(whole, { optional: start.origin.policy.optional, people: false });
  let open: ManualFixes["open"] = null;
  for (const root of rootsToVerify(start)) open ??= await lookAt(root);
  return { mended, open };

  async function lookAt(root: TaskId): Promise<ManualFixes["open"]> {
    for (let task = nextIn(root); task !== null; task = nextIn(root)) {
      const verify = verifyToRerun(withCheck(task, check));
      if (verify === null || wasChanged(task.id)) break;
      if (verify.word !== null && !(await shell.exists(verify.word))) break;
      const key = attemptKey(task.id, spentOn(memory.ledger.tasks, task.id).attempts);
      const ports = { shell, attempts: memory, workspace };
      const { command } = verify;
      const run = ran.get(command) ?? (await runCheck(ports, { command, name: `${key}/mended`, timeoutMs }, signal));
      ran.set(command, run);
      if (run.digest !== null) {
        return { task: task.id, error: verifyError({ ...run.result, digest: run.digest }) };
      }
      // This Verify may have passed all along, so the executor's report that the task is not done counts.
      if (!memory.hasFailed(task.id, command)) {
        return { task: root, error: null };
      }
      mended.push({ key, verify: run });
    }
    return null;
  }

  function nextIn(root: TaskId): Task | null {
    return toVerify(start, withBoxes(known, { set: mended.map((each) => taskOf(each.key)), cleared: [] }), root);
  }
}

export function renderManualFixes(
  { mended, open }: ManualFixes,
  { ledger: { tasks } }: RunMemory,
  emit: Start["emit"],
): void {
  for (const { key } of mended) {
    const task = taskOf(key);
    emit({ type: "notice", message: `Verify of ${task} passes now: it is done` });
    const { fixes } = spentOn(tasks, task);
    emit({ type: "task.passed", task, attempts: lastAttempt(tasks, task), fixes, proof: { kind: "proven" } });
  }
  if (open === null) return;
  const message =
    open.error === null
      ? `Verify of ${open.task} passes, but may have passed all along: tick the task in tasks.md if it is done`
      : `${open.task} still fails: ${open.error}`;
  emit({ type: "notice", message });
}

/** Planned tasks that stopped the previous start or wait for a person; none if the person says how to continue. */
function rootsToVerify({ options, origin }: Pick<Start, "options" | "origin">): readonly TaskId[] {
  const { stoppedAt, parked } = origin.past;
  if (options.guidance !== undefined || options.decision !== undefined || origin.policy.trustExecutor) return [];
  return [...(stoppedAt === null ? [] : [stoppedAt]), ...parked.map(({ root }) => root)];
}

function toVerify(start: Pick<Start, "origin">, plan: Pick<Plan, "tasks">, id: TaskId): Task | null {
  if (isGuarded(start, id)) return null;
  const root = plan.tasks.find((task) => task.id === id);
  // Skip an unattempted task, whose Verify may have passed all along.
  if (root === undefined || root.done || attemptsOn(start.origin.state?.tasks ?? {}, root.id) === 0) return null;
  const ids = plan.tasks.filter((task) => task.id === id);
  return ids.length === 1 ? treesOf(plan)(root) : null;
}

/** Whether a task was stopped by a change to its proof: a green Verify does not show that the change was reverted. */
function isGuarded({ origin: { state } }: Pick<Start, "origin">, task: TaskId): boolean {
  if (state === null) return false;
  const root = rootOf(state, task);
  const isRejected = Object.entries(state.turn.setbacks).some(
    ([task, setback]) => setback?.rejection?.layer === "guard" && rootOf(state, task) === root,
  );
  return isRejected || treeOf(state, root).question?.covers !== undefined;
}

export function mayBeFixedManually(start: Pick<Start, "options" | "origin">, plan: Plan): boolean {
  const tasks = rootsToVerify(start).map((root) => toVerify(start, plan, root));
  const check = projectCheck(start.origin.policy);
  return tasks.some((task) => task !== null && verifyToRerun(withCheck(task, check)) !== null);
}
