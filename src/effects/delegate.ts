import type { EffectInput } from "../model/effect.ts";
import { progressName } from "../model/file-names.ts";
import type { Baseline } from "../model/git-evidence.ts";
import { maxReviews } from "../model/limits.ts";
import { attemptOf, taskOf } from "../model/reply.ts";
import { plannedTask, roleOf, type Task, type TaskId, wholeOf } from "../model/task.ts";
import { claimOf } from "../parse/claim.ts";
import type { Outcome } from "../ports/attempt-record.ts";
import { NotReported } from "../ports/executor.ts";
import { reviewDue } from "../recover/judge-completion.ts";
import { dispatch, handedOutTo } from "./dispatch.ts";
import { findTask } from "./find-task.ts";
import { takeOver } from "./merge-work.ts";
import { answerTo, promptFor, startFresh, treeLeft } from "./one-attempt.ts";
import { race } from "./race.ts";
import { fileStateFor } from "./read-signs.ts";
import { progressFileOf } from "./spec-paths.ts";
import { settleEdits } from "./unauthorized-edits.ts";
import { type Looked, verifyBefore } from "./verify-before.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Delegate one task to its executor and keep the reply. The delegation is recorded before it starts. A fix of a batch
 * member runs only while no other member is running.
 *
 * @throws {EnvironmentError} `executor-not-started`, `executor-failed`: there was no reply.
 */
export async function delegate(
  ports: WholePorts,
  input: EffectInput<"delegate">,
  signal: AbortSignal,
): Promise<Outcome<"delegate">> {
  const { attempts } = ports;
  const act = () => {
    if (input.grouped && awaitsOthers(ports, input))
      throw new NotReported("other members of the batch are still at work");
    return delegateOne(ports, input, signal);
  };
  if (!input.grouped || ports.apart !== undefined) return act();
  if (plannedTask(input.task) !== input.root || input.race !== undefined)
    return attempts.alone(input.task, act, signal);
  return attempts.beside(input.task, act);
}

async function delegateOne(
  ports: WholePorts,
  input: EffectInput<"delegate">,
  signal: AbortSignal,
): Promise<Outcome<"delegate">> {
  const { attempts, git, spec = "" } = ports;
  const key = attemptOf(input.key);
  const task = await findTask(ports, input.task);
  const role = roleOf(task);
  const { attempt, retries, grouped, climb, escalates } = input;
  // Skip the Verify for handed-out work and races in progress, and if a reached limit will deny the delegation.
  const isOut = handedOutTo(ports, { key, role, rung: input.remedy }) !== null;
  const isRacing = attempts.race(task.id) !== null;
  const isLooked = !isOut && !isRacing && attempts.denial(input.limits) === null;
  const base = isLooked ? await baseOf(ports, input, signal) : undefined;
  // A repeated attempt continues from its own work, unless it gets a new worktree.
  const isFirst = ports.apart !== undefined || attempts.baseline(key) === null;
  const isFresh = input.fresh === true && isFirst && (isRacing || isLooked) && base?.apart !== false;
  if (isFresh) await startFresh(ports, task, signal);
  const looked: Looked = isLooked ? { ...(await verifyBefore(ports, input, task, signal)), base } : {};
  const { done, verify } = looked;
  const isDone = done !== undefined && !(await awaitsReview(ports, task));
  // Look at the branch and settle the edits of a killed executor here, since no claim follows.
  const { mark } = (isDone && attempts.baseline(key)) || {};
  if (mark) await git?.since(mark);
  if (isDone && (await ports.plan.exclusively(() => settleEdits(ports, task))) === null)
    return { answer: { kind: "done", proof: done }, ...(verify && { facts: { verify } }) };
  let from: Baseline = { headBefore: null, mark: null, fileState: null };
  const baseline = async (): Promise<Baseline> => {
    from = attempts.baseline(key) ?? {
      headBefore: (await git?.head()) ?? null,
      mark: (await git?.mark()) ?? null,
      fileState: !escalates ? null : await fileStateFor(ports, task),
    };
    return from;
  };
  const progressFile = progressFileOf(ports.apart?.copy ?? spec, grouped ? input.root : null);
  const prompt = promptFor(ports, input, task);
  const work = { key, role, task, attempt, retries, progressFile, level: climb?.level, rung: input.remedy };
  const whole = { ...work, baseline, looked, prompt };
  const raced = input.race && (await race(ports, input, whole, signal));
  if (raced) return raced;
  const answer = await dispatch(ports, whole, input.limits, signal);
  if ("kind" in answer) return { answer };
  ports.apart?.takeLog(progressName(input.root));
  // An interrupted attempt has no answer: it is repeated on resume.
  if (claimOf(answer, role).signal !== "complete") signal.throwIfAborted();
  const tree = await treeLeft(ports, signal);
  return { answer: { kind: answerTo(task, answer) }, facts: { reply: { reply: answer, ...from, tree } } };
}

/**
 * The new base of a task that gets a new worktree, or moves from its worktree to the workspace; undefined for other
 * tasks.
 */
async function baseOf(
  ports: WholePorts,
  { root, fresh = false }: EffectInput<"delegate">,
  signal: AbortSignal,
): Promise<Looked["base"]> {
  const { attempts, apart } = ports;
  const known = attempts.apart(root);
  if (apart === undefined) return known === null ? undefined : takeOver(ports, root, fresh, signal);
  return known === apart.base ? undefined : { apart: true, content: apart.base };
}

/** Whether handed-out work of other members blocks this task: a fix must run alone. */
function awaitsOthers({ attempts }: WholePorts, { task, root }: EffectInput<"delegate">): boolean {
  const others = Object.keys(attempts.handedOut())
    .map(taskOf)
    .filter((id) => id !== task);
  const isFix = (id: TaskId): boolean => plannedTask(id) !== attempts.rootOf(id);
  return others.length > 0 && (plannedTask(task) !== root || others.some(isFix));
}

/** Whether a task that is already done must be delegated for a review. */
async function awaitsReview({ executors, attempts, plan }: WholePorts, task: Task): Promise<boolean> {
  if (executors.reviewer === undefined || wholeOf(task.id) !== null) return false;
  if (attempts.findings(task.id).length >= maxReviews) return false;
  return reviewDue({ plan: (await plan.known()).plan, task: task.id });
}
