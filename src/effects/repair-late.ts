import { isRelated, type Work } from "../evidence/is-related.ts";
import { isSameFile, knownRun } from "../evidence/judge-runs.ts";
import { readVerify, writeCommand } from "../markdown/tasks/read-verify.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import type { FixTask } from "../model/failure.ts";
import { setOfRun } from "../model/failure-set.ts";
import { fixesOn } from "../model/ledger.ts";
import type { Question } from "../model/person-event.ts";
import { nextFixNumber } from "../model/plan.ts";
import { attemptOf } from "../model/reply.ts";
import { kindOf, type Task, type TaskId } from "../model/task.ts";
import type { AttemptFacts, VerifyRun } from "../ports/attempt-record.ts";
import { fixLimit } from "../recover/check-limit.ts";
import { evidenceOf } from "../recover/evidence-of.ts";
import { verifyError } from "../recover/verify-error.ts";
import { writeFixTask } from "../recover/write-fix-task.ts";
import { namesOf } from "./judge-work.ts";
import type { Broken } from "./recheck.ts";
import { specName } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

type Input = Pick<EffectInput<"confirmCompletion">, "key" | "repair">;
type Limits = NonNullable<Input["repair"]>;
type Written = Extract<Answer<"confirmCompletion">, { kind: "broken" }>;

/** Write a fix task for a command that fails after the work. If a limit forbids the fix task, a person is asked. */
export async function completeRepair(ports: WholePorts, { key, repair }: Input, broken: Broken): Promise<Mended> {
  const { run, task } = broken;
  const facts = { verify: run };
  const fix = repair == null ? null : await repairLate(ports, repair, broken);
  if (fix !== null) return { answer: await write(ports, await ports.attempts.intend(attemptOf(key), fix)), facts };
  const error = verifyError({ ...run.result, digest: run.digest });
  const reason = task === null ? error.replace("Verify", renderCheck(broken)) : `${task} fails again: ${error}`;
  return { answer: { kind: "gate", reason, hint: `Make \`${run.command}\` pass, then run again` }, facts };
}

interface Mended {
  readonly answer: Written | Question;
  readonly facts: AttemptFacts;
}

/** Write the fix task recorded before a start was killed; null if no fix task was recorded, or the fix task is done. */
export async function fixDue(ports: WholePorts, { key }: Pick<Input, "key">): Promise<Written | null> {
  const fix = ports.attempts.madeFor(attemptOf(key));
  if (fix === null) return null;
  const { tasks } = (await ports.plan.known()).plan;
  return tasks.some(({ id, done }) => id === fix.id && done) ? null : write(ports, fix);
}

async function write({ plan }: WholePorts, fix: FixTask): Promise<Written> {
  await plan.exclusively(() => plan.insert(fix));
  const read = readVerify(fix.verify ?? undefined);
  const command = read.kind === "command" ? read.command : "";
  return { kind: "broken", task: fix.fixOf, fix: fix.id, command, error: fix.error };
}

const renderCheck = ({ ofProject = false }: Broken): string => (ofProject ? "The project's check" : "The final check");

/**
 * Make a fix task for a command that fails after the work: below the task that broke the command, with the command as
 * its Verify. Null if a limit forbids the fix task, or the command cannot be written in a plan.
 */
async function repairLate(ports: WholePorts, limits: Limits, broken: Broken): Promise<FixTask | null> {
  const { run, task } = broken;
  const culprit = await findCulprit(ports, (await ports.plan.known()).plan.tasks, broken);
  if (culprit === null) return null;
  const told = verifyError({ ...run.result, digest: run.digest });
  const error = task === null ? told.replace("Verify", renderCheck(broken)) : told;
  const about = task === null ? `${renderCheck(broken)} fails` : `The proof of task ${task} fails now`;
  return fixBelow(ports, limits, { task: culprit, run, error, about: `${about}, since task ${culprit.id}` });
}

/**
 * Make a fix task for checks that were red before the run, and still are after an unrelated task was accepted. The fix
 * task is below the accepted task, with the same Verify. Null if there are no such checks, a limit forbids the fix
 * task, or the accepted task is itself a fix.
 */
export async function repairKnown(
  ports: WholePorts,
  limits: Limits,
  task: Task,
  run: VerifyRun | null,
): Promise<FixTask | null> {
  if (run === null || task.fixOf !== null || kindOf(task) === "red") return null;
  const { attempts } = ports;
  const known = new Set(attempts.redAtFirst(run.command));
  const later = new Set(attempts.checked()?.expected);
  if (!knownRun(run).reds.some(({ name }) => known.has(name) && !later.has(name))) return null;
  const error = verifyError({ ...run.result, digest: run.digest });
  return fixBelow(ports, limits, {
    task,
    run,
    error,
    about: `Verify failed before the run as well; task ${task.id} is done`,
  });
}

interface LateFailure {
  readonly task: Task;
  readonly run: VerifyRun;
  readonly error: string;
  /** Event that led to the fix task. */
  readonly about: string;
}

/**
 * A fix task below a task that stays done. Null if a limit forbids the fix task, or if its command cannot be written in
 * a plan.
 */
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
 * Find the task that broke a check, among the tasks accepted after the check last passed: the first task that changed a
 * file of the failure, else the last task. If a test of the project check has never passed, the first task may also be
 * a task that changed or names a file imported by the test.
 */
async function findCulprit(
  { attempts, trees }: WholePorts,
  tasks: readonly Task[],
  { run, since, ofProject = false }: Broken,
): Promise<Task | null> {
  const passed = attempts.passed();
  const { reds } = knownRun(run);
  const before = new Set(since?.reds.map(({ name }) => name));
  // Whether the failure is new; otherwise the test has not passed yet.
  const isNew = since !== null && (since.passed || reds.some(({ name }) => !before.has(name)));
  const from = isNew ? passed.findLastIndex(({ content }) => content === since.tree) : -1;
  const files = reds.flatMap(({ file }) => file ?? []);
  const texts = ofProject && run.tree != null ? await trees?.read(run.tree, files) : undefined;
  let last: string | null = null;
  for (const [index, { task, content }] of passed.entries()) {
    const was: string | null = attempts.contentBefore(task) ?? last;
    last = content ?? last;
    if (index <= from || was === null || content === null || files.length === 0) continue;
    const changed = ((await trees?.changes(was, content)) ?? []).map(({ path }) => path);
    const made = find(task) ?? null;
    if (changed.some((path) => files.some((file) => isSameFile(file, path)))) return made;
    const named = made === null || isNew ? [] : namesOf(made);
    if (texts !== undefined && isAbout({ named, changed }, texts)) return made;
  }
  const done = tasks.filter(({ id, fixOf }) => fixOf === null && passed.some(({ task }) => task === id));
  return find(done.at(-1)?.id) ?? tasks.findLast(({ fixOf, done: isDone }) => fixOf === null && isDone) ?? null;

  /** Whether a failing check concerns a piece of work; false if the check's text is unknown. */
  function isAbout(work: Work, texts: ReadonlyMap<string, string | null>): boolean {
    if (work.named.length === 0 && work.changed?.length === 0) return false;
    return reds.some(
      (red) => texts.get(red.file ?? "") != null && isRelated(red, work, (path) => texts.get(path) ?? null),
    );
  }

  function find(id: TaskId | undefined): Task | undefined {
    const task = tasks.find((each) => each.id === id);
    return task === undefined || task.fixOf === null ? task : (find(task.fixOf) ?? task);
  }
}
