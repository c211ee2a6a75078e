import { runCheck } from "../effects/run-check.ts";
import type { RunMemory } from "../effects/run-memory.ts";
import { readVerify, withCheck } from "../markdown/tasks/read-verify.ts";
import { attemptsOn, spentOn } from "../model/ledger.ts";
import { type Plan, treesOf } from "../model/plan.ts";
import { planWithout, withBoxes } from "../model/plan-parts.ts";
import { projectCheck } from "../model/project-check.ts";
import { type AttemptKey, attemptKey, taskOf } from "../model/reply.ts";
import { kindOf, type Task, type TaskId } from "../model/task.ts";
import { workIn } from "../model/work-in.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import type { Shell } from "../ports/shell.ts";
import { verifyError } from "../recover/verify-error.ts";
import { rootOf } from "../run/spent.ts";
import { treeOf } from "../run/trees.ts";
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
  const check = projectCheck(start.origin.policy);
  const mended: Mending["mended"][number][] = [];
  const ran = new Map<string, VerifyRun>();
  const whole = planWithout(plan, [...memory.skipped().keys(), ...memory.superseded().keys()]);
  const known = workIn(whole, { optional: start.origin.policy.optional, people: false });
  let open: Mending["open"] = null;
  for (const root of rootsToVerify(start)) open ??= await lookAt(root);
  return { mended, open };

  async function lookAt(root: TaskId): Promise<Mending["open"]> {
    for (let task = nextIn(root); task !== null; task = nextIn(root)) {
      const verify = readVerify(withCheck(task, check).fields.verify);
      if (verify.kind !== "command" || kindOf(task) === "goal" || wasChanged(task.id)) break;
      if (verify.word !== null && !(await shell.exists(verify.word))) break;
      const key = attemptKey(task.id, spentOn(memory.ledger.tasks, task.id).attempts);
      const ports = { shell, attempts: memory, workspace };
      const { command } = verify;
      const run = ran.get(command) ?? (await runCheck(ports, { command, name: `${key}/mended`, timeoutMs }, signal));
      ran.set(command, run);
      if (run.digest !== null) {
        return { task: task.id, error: verifyError({ ...run.result, digest: run.digest }) };
      }
      // It may have passed all along: the executor is believed that it has not done the task.
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

/** Tell what has become of the task that the start before has stopped at. */
export function tellMending({ mended, open }: Mending, { ledger: { tasks } }: RunMemory, emit: Start["emit"]): void {
  for (const { key } of mended) {
    const task = taskOf(key);
    emit({ type: "notice", message: `Verify of ${task} passes now: it is done` });
    const { fixes } = spentOn(tasks, task);
    emit({ type: "task.passed", task, attempts: attemptsOn(tasks, task), fixes, proof: { kind: "proven" } });
  }
  if (open === null) return;
  const message =
    open.error === null
      ? `Verify of ${open.task} passes, but may have passed before: tick the task in tasks.md if it is done`
      : `${open.task} still fails: ${open.error}`;
  emit({ type: "notice", message });
}

/** The planned tasks that the start before has stopped at, or that wait for a person; none where one says how to go on. */
function rootsToVerify({ options, origin }: Pick<Start, "options" | "origin">): readonly TaskId[] {
  const { stoppedAt, parked } = origin.past;
  if (options.guidance !== undefined || options.decision !== undefined || origin.policy.trustExecutor) return [];
  return [...(stoppedAt === null ? [] : [stoppedAt]), ...parked.map(({ root }) => root)];
}

/** The task of a tree that was stopped at whose Verify comes next; null when none is to be run. */
function toVerify(start: Pick<Start, "origin">, plan: Pick<Plan, "tasks">, id: TaskId): Task | null {
  if (isGuarded(start, id)) return null;
  const root = plan.tasks.find((task) => task.id === id);
  // What nobody has tried yet may have a Verify that has passed all along.
  if (root === undefined || root.done || attemptsOn(start.origin.state?.tasks ?? {}, root.id) === 0) return null;
  const ids = plan.tasks.filter((task) => task.id === id);
  return ids.length === 1 ? treesOf(plan)(root) : null;
}

/** Whether it stopped at changes of what proves a task: a green Verify does not tell that they were put back. */
function isGuarded({ origin: { state } }: Pick<Start, "origin">, task: TaskId): boolean {
  if (state === null) return false;
  const root = rootOf(state, task);
  const isRejected = Object.entries(state.turn.setbacks).some(
    ([task, setback]) => setback?.rejection?.layer === "guard" && rootOf(state, task) === root,
  );
  return isRejected || treeOf(state, root).question?.covers !== undefined;
}

/** Whether a Verify is to be run that a person may have made pass since. */
export function mayBeMended(start: Pick<Start, "options" | "origin">, plan: Plan): boolean {
  const tasks = rootsToVerify(start).map((root) => toVerify(start, plan, root));
  const check = projectCheck(start.origin.policy);
  return tasks.some((task) => task !== null && readVerify(withCheck(task, check).fields.verify).kind === "command");
}
