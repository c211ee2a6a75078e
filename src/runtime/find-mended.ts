import { runCheck } from "../effects/run-check.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { readVerify } from "../markdown/tasks/read-verify.ts";
import { withBoxes } from "../model/box-change.ts";
import { attemptsOn, spentOn } from "../model/ledger.ts";
import { planWithout } from "../model/left-out.ts";
import { type Plan, treesOf } from "../model/plan.ts";
import { type AttemptKey, attemptKey, taskOf } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import type { TaskId } from "../model/task-id.ts";
import { kindOf } from "../model/task-kind.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import type { Shell } from "../ports/shell.ts";
import { verifyError } from "../recover/verify-error.ts";
import type { Start } from "./start.ts";

/** What the Verify of a task says that the start before has stopped at. */
export interface Mending {
  /** Tasks whose Verify passes now, each before what it was made for. */
  readonly mended: readonly { readonly key: AttemptKey; readonly verify: VerifyRun }[];
  /**
   * The first that does not pass, and what it says; the task that was stopped at, with null, where a Verify passes that was
   * never seen to fail; null when there is neither.
   */
  readonly open: { readonly task: TaskId; readonly error: string | null } | null;
}

interface MendingTools {
  readonly memory: RunMemory;
  readonly shell: Shell;
  readonly workspace: string;
  /** Whether the text of a task is another than the start before has left. */
  readonly wasChanged: (task: TaskId) => boolean;
}

export const noMending: Mending = { mended: [], open: null };

/**
 * Look whether a person has mended what the start before has stopped at: run the Verify of that task, once, and that of
 * its open fixes first. Nothing is looked at where the person says how to go on,
 * or has changed the text of the task: it is to be done as it says now.
 *
 * @param plan As it is known, its boxes in order.
 */
export async function findMended(
  start: Pick<Start, "options" | "origin">,
  plan: Plan,
  { memory, shell, workspace, wasChanged }: MendingTools,
  signal: AbortSignal,
): Promise<Mending> {
  const { verifyTimeout: timeoutMs } = start.origin.policy;
  const mended: Mending["mended"][number][] = [];
  const ran = new Map<string, VerifyRun>();
  const known = planWithout(plan, [...memory.skipped().keys(), ...memory.superseded().keys()]);
  for (let task = toVerify(start, known); task !== null; ) {
    const verify = readVerify(task.fields.verify);
    if (verify.kind !== "command" || kindOf(task) === "goal" || wasChanged(task.id)) break;
    if (verify.word !== null && !(await shell.exists(verify.word))) break;
    const key = attemptKey(task.id, spentOn(memory.ledger.tasks, task.id).attempts);
    const ports = { shell, attempts: memory, workspace };
    const { command } = verify;
    const run = ran.get(command) ?? (await runCheck(ports, { command, name: `${key}/mended`, timeoutMs }, signal));
    ran.set(command, run);
    if (run.digest !== null) {
      return { mended, open: { task: task.id, error: verifyError({ ...run.result, digest: run.digest }) } };
    }
    // It may have passed all along: the executor is believed that it has not done the task.
    if (!memory.hasFailed(task.id, command)) {
      return { mended, open: { task: start.origin.past.stoppedAt as TaskId, error: null } };
    }
    mended.push({ key, verify: run });
    task = toVerify(start, withBoxes(known, { set: mended.map((each) => taskOf(each.key)), cleared: [] }));
  }
  return { mended, open: null };
}

/** Tell what has become of the task that the start before has stopped at. */
export function tellMending({ mended, open }: Mending, { ledger: { tasks } }: RunMemory, emit: Start["emit"]): void {
  for (const { key } of mended) {
    const task = taskOf(key);
    emit({ type: "notice", message: `Verify of ${task} passes now: it is done` });
    const { fixes } = spentOn(tasks, task);
    emit({ type: "task.passed", task, attempts: attemptsOn(tasks, task), fixes, unverified: false });
  }
  if (open === null) return;
  const message =
    open.error === null
      ? `Verify of ${open.task} passes, as it may have all along: tick the task in tasks.md if it is done`
      : `${open.task} still fails: ${open.error}`;
  emit({ type: "notice", message });
}

/** The task of the tree that the start before has stopped at whose Verify comes next; null when none is to be run. */
function toVerify(start: Pick<Start, "options" | "origin">, plan: Pick<Plan, "tasks">): Task | null {
  const { guidance, decision } = start.options;
  if (guidance !== undefined || decision !== undefined || start.origin.policy.trustExecutor) return null;
  const id = start.origin.past.stoppedAt;
  const root = plan.tasks.find((task) => task.id === id);
  // What nobody has tried yet may have a Verify that has passed all along.
  if (root === undefined || root.done || attemptsOn(start.origin.state?.tasks ?? {}, root.id) === 0) return null;
  const ids = plan.tasks.filter((task) => task.id === id);
  return ids.length === 1 ? treesOf(plan)(root) : null;
}

/** Whether a Verify is to be run that a person may have made pass since. */
export function mayBeMended(start: Pick<Start, "options" | "origin">, plan: Plan): boolean {
  const task = toVerify(start, plan);
  return task !== null && readVerify(task.fields.verify).kind === "command";
}
