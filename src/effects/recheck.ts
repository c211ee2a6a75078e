import { isSameFile, knownRun } from "../evidence/judge-runs.ts";
import { mayRecheck } from "../evidence/may-recheck.ts";
import { isCheckedLater, readVerify, withCheck } from "../markdown/tasks/read-verify.ts";
import type { KnownRun, RedCheck } from "../model/check-run.ts";
import type { EffectInput } from "../model/effect.ts";
import type { Task, TaskId } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { runCheck } from "./run-check.ts";
import type { WholePorts } from "./with-memory.ts";

export interface Broken {
  readonly run: VerifyRun;
  /** The task that the command had proven; null for a check of all tasks. */
  readonly task: TaskId | null;
  /** Whether the command is the project check, not the final check (false by default). */
  readonly ofProject?: boolean;
  readonly since: KnownRun | null;
}

/**
 * Rerun the commands that proved tasks, and find the first that fails twice. Skips a command whose last run was on the
 * same content, or whose result a later task was meant to change.
 */
export async function findBroken(
  ports: WholePorts,
  { key, timeoutMs }: Pick<EffectInput<"confirmCompletion">, "key" | "timeoutMs">,
  signal: AbortSignal,
): Promise<Broken | null> {
  const { attempts, trees, plan } = ports;
  const { tasks } = (await plan.known()).plan;
  let tree = await trees?.now(signal);
  for (const { task, command } of dueCommands(tasks, ports)) {
    const since = attempts.lastRun(command);
    if (since === null) continue;
    // An excused red run counts as green.
    const holds = since.passed || isExcused(attempts, since);
    if (holds && tree != null && since.tree === tree) continue;
    const runAs = (name: string) => runCheck(ports, { command, name: `${key}/${name}`, timeoutMs }, signal);
    ports.onProgress?.({ type: "check.started", command, task });
    const first = await runAs(task);
    tree = first.tree;
    if (first.digest === null) continue;
    const second = await runAs(`${task}-again`);
    tree = second.tree;
    if (second.digest !== null && !isExcused(attempts, knownRun(second))) return { run: second, task, since };
  }
  return null;
}

export const isExcused = (attempts: WholePorts["attempts"], known: KnownRun): boolean =>
  countedIn(attempts, known)?.length === 0;

/** The failing checks that are not excused; null if the name of a failure is unknown. */
export function countedIn(attempts: WholePorts["attempts"], { reds, failing }: KnownRun): readonly RedCheck[] | null {
  const known = new Set(attempts.excused().map(({ name }) => name));
  const given = attempts.given();
  const mayFail = ({ name, file }: RedCheck): boolean =>
    known.has(name) || given.some((path) => file !== null && isSameFile(file, path));
  return failing !== null && failing.count === reds.length ? reds.filter((red) => !mayFail(red)) : null;
}

export function dueCommands(
  tasks: readonly Task[],
  { attempts, check }: Pick<WholePorts, "attempts" | "check">,
): readonly { readonly task: TaskId; readonly command: string }[] {
  const byId = new Map(tasks.map((task) => [task.id, withCheck(task, check)]));
  const proofs = attempts.proofs();
  const done = attempts.passed().flatMap(({ task }) => byId.get(task) ?? []);
  const last = new Map<string, Task>();
  for (const [index, task] of done.entries()) {
    const read = readVerify(task.fields.verify);
    if (read.kind !== "command" || proofs.get(task.id)?.kind !== "proven") continue;
    if (!mayRecheck(task, read.command, done.slice(index + 1))) continue;
    last.delete(read.command);
    last.set(read.command, task);
  }
  // The project check covers all work up to its last task.
  const checked = done.findLast((task) => isCheckedLater(task, check));
  if (check != null && checked !== undefined && checked !== done.at(-1) && proofs.get(checked.id)?.kind === "proven") {
    last.set(check.command, checked);
  }
  return [...last].map(([command, { id }]) => ({ task: id, command }));
}
