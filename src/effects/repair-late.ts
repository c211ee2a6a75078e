import { isSameFile } from "../evidence/judge-runs.ts";
import { knownRun } from "../evidence/known-run.ts";
import { readVerify } from "../markdown/tasks/read-verify.ts";
import { writeCommand } from "../markdown/tasks/with-check.ts";
import type { EffectInput } from "../model/effect.ts";
import type { FixTask } from "../model/failure.ts";
import { setOfRun } from "../model/failure-set.ts";
import { fixesOn } from "../model/ledger.ts";
import { nextFixNumber } from "../model/plan.ts";
import { kindOf, type Task, type TaskId } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { fixLimit } from "../recover/check-limit.ts";
import { evidenceOf } from "../recover/evidence-of.ts";
import { verifyError } from "../recover/verify-error.ts";
import { writeFixTask } from "../recover/write-fix-task.ts";
import type { Broken } from "./recheck.ts";
import { specName } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

type Limits = NonNullable<EffectInput<"confirmCompletion">["repair"]>;

/**
 * The fix task for a command that fails at the end of a run: of the task that has broken it, with that command as its
 * Verify. Null where a limit of that task says no, or the command cannot stand in a plan.
 */
export async function repairLate(ports: WholePorts, limits: Limits, broken: Broken): Promise<FixTask | null> {
  const { run, task } = broken;
  const culprit = await findCulprit(ports, (await ports.plan.known()).plan.tasks, broken);
  if (culprit === null) return null;
  const told = verifyError({ ...run.result, digest: run.digest });
  const error = task === null ? told.replace("Verify", "The final check") : told;
  const about = task === null ? "The final check fails" : `What task ${task} has shown does not hold any more`;
  return fixBelow(ports, limits, { task: culprit, run, error, about: `${about}, since task ${culprit.id}` });
}

/**
 * The fix task for what was red before the run and is red behind an accepted task, which has nothing to do with it: the
 * task after that, with the same Verify. Null where nothing is, where a limit of the task says no, or for a fix task.
 */
export async function repairKnown(
  ports: WholePorts,
  limits: Limits,
  task: Task,
  run: VerifyRun | null,
): Promise<FixTask | null> {
  if (run === null || task.fixOf !== null || kindOf(task) === "red") return null;
  const known = new Set(ports.attempts.redAtFirst(run.command));
  if (!knownRun(run).reds.some(({ name }) => known.has(name))) return null;
  const error = verifyError({ ...run.result, digest: run.digest });
  return fixBelow(ports, limits, { task, run, error, about: `It failed before the run; task ${task.id} is done` });
}

interface LateFailure {
  readonly task: Task;
  readonly run: VerifyRun;
  readonly error: string;
  /** What has come to it, in place of what was attempted. */
  readonly about: string;
}

/** A fix task below a task that stays done. Null where a limit of that says no, or its command cannot stand in a plan. */
async function fixBelow(
  { attempts, plan, spec = "" }: WholePorts,
  limits: Limits,
  { task, run, error, about }: LateFailure,
): Promise<FixTask | null> {
  const verify = writeCommand(run.command);
  const read = readVerify(verify);
  if (read.kind !== "command" || read.command !== run.command) return null;
  const spent = attempts.spent(task.id);
  if (fixLimit(spent, task.id, limits).isReached) return null;
  const failing = setOfRun({ ...run.result, digest: run.digest });
  const fix = writeFixTask({
    task: { ...task, fields: { ...task.fields, verify } },
    failure: {
      ...{ kind: "task", error, attemptedFix: about },
      evidence: evidenceOf({ run, claim: "", findings: "" }),
      ...(failing !== null && { failing }),
    },
    attempt: nextFixNumber((await plan.known()).plan, task.id, fixesOn(spent, task.id)),
    scope: limits.scope,
    spec: specName(spec),
  });
  return { ...fix, late: true };
}

/**
 * The task that has broken a check: the first one accepted after it had passed last whose changes name a file of what
 * fails, else the last one accepted.
 */
async function findCulprit(
  { attempts, trees }: WholePorts,
  tasks: readonly Task[],
  { run, since }: Broken,
): Promise<Task | null> {
  const passed = attempts.passed();
  const from = since === null ? -1 : passed.findLastIndex(({ content }) => content === since.tree);
  const files = (run.digest?.failures ?? []).flatMap(({ file }) => file ?? []);
  let before: string | null = null;
  for (const [index, { task, content }] of passed.entries()) {
    if (content === null) continue;
    const was: string | null = before;
    before = content;
    if (index <= from || was === null || files.length === 0) continue;
    const changes = (await trees?.changes(was, content)) ?? [];
    if (changes.some(({ path }) => files.some((file) => isSameFile(file, path)))) return find(task) ?? null;
  }
  const done = tasks.filter(({ id, fixOf }) => fixOf === null && passed.some(({ task }) => task === id));
  return find(done.at(-1)?.id) ?? tasks.findLast(({ fixOf, done: isDone }) => fixOf === null && isDone) ?? null;

  /** A task, or the planned one that it is a fix of. */
  function find(id: TaskId | undefined): Task | undefined {
    const task = tasks.find((each) => each.id === id);
    return task === undefined || task.fixOf === null ? task : (find(task.fixOf) ?? task);
  }
}
