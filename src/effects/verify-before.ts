import { beforeOf, hasShown, knownRun, notThere, unknownBefore } from "../evidence/judge-runs.ts";
import { reachesOut } from "../evidence/may-recheck.ts";
import { isCheckedLater, readVerify, type Verify } from "../markdown/tasks/read-verify.ts";
import type { Before, KnownRun } from "../model/check-run.ts";
import type { EffectInput } from "../model/effect.ts";
import type { Proof } from "../model/evidence.ts";
import type { TaskBase } from "../model/record.ts";
import { attemptOf } from "../model/reply.ts";
import { isChecking, type Task, type TaskId } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { findTask } from "./find-task.ts";
import { guardWork } from "./guard-work.ts";
import { whileVerifying } from "./progress-meter.ts";
import { runCheck } from "./run-check.ts";
import type { WholePorts } from "./with-memory.ts";
import { changesSoFar, proofOfWork } from "./work-so-far.ts";

export interface Looked {
  readonly before?: Before;
  /** The run of the Verify that gave the result; not given if the result of an earlier run was reused. */
  readonly verify?: VerifyRun;
  /** Hash of the workspace files; null if unknown, undefined if not read. */
  readonly tree?: string | null | undefined;
  /** Files with which the task starts over: a worktree with this content, or the workspace as found. */
  readonly base?: TaskBase | undefined;
  /** Proof that the task is done already: its Verify was red before the work, and is green now. */
  readonly done?: Proof;
}

/**
 * Run a task's Verify before its delegation: before the first attempt as a baseline, and before each later attempt if
 * the Verify was red at first, since someone may have fixed the task. The result of an earlier run on the same content
 * is reused.
 *
 * @see docs/verification.md
 */
export async function verifyBefore(
  ports: WholePorts,
  input: Pick<EffectInput<"delegate">, "key" | "task" | "verifyBefore" | "guard" | "members">,
  task: Task,
  signal: AbortSignal,
  lastRun: (command: string) => KnownRun | null = ports.attempts.lastRun,
): Promise<Looked> {
  const { attempts, trees } = ports;
  const limitMs = input.verifyBefore ?? null;
  const known = attempts.before(task.id);
  const isBeside = ports.apart === undefined;
  if (
    isBeside &&
    limitMs !== null &&
    known === null &&
    input.members?.includes(task.id) === true &&
    input.members.length > 1
  ) {
    return (await lookAtAll(ports, input, signal)).get(task.id) ?? {};
  }
  const verify = commandOf(task);
  // No baseline is needed if no command judges the change.
  if (verify === null && !isCheckedLater(task, ports.check) && trees?.keeps !== true) return {};
  if (limitMs === null || verify === null) return { tree: await trees?.now(signal) };
  const { command, word } = verify;
  const asked = { key: attemptOf(input.key), task: task.id, command, limitMs };
  const last = lastRun(command);
  // A fix task begins from the red run that it was made for.
  const made = known ?? redBefore(ports, task, command);
  const skipped = made === null ? whyNot(task, command) : null;
  const isFound = word === null || (await ports.shell.exists(word));
  // On the first run of a command, hash the files only after the run: files written by the run belong to no attempt.
  const isFirst = made === null && last === null && skipped === null && isFound;
  const tree = isFirst ? undefined : await trees?.now(signal);
  if (made !== null && made.red !== true) return { tree };
  // If the content is the same as before the first attempt, the result is the same, too.
  if (known !== null && tree != null && tree === attempts.foundFirst(task.id)) return { tree };
  if (skipped !== null) return { before: unknownBefore(command, skipped), tree };
  // A program that does not exist yet counts as red.
  if (!isFound) return { ...(known === null && { before: made ?? notThere(command) }), tree };
  const run = await runOnce(ports, { ...asked, tree, last }, signal);
  // Prefer a new run if the details of the known run are lost.
  const isLost = made === null || (made.reds.length === 0 && run.before.red === true);
  const begins = known === null ? { before: isLost ? run.before : made } : {};
  const looked = { ...begins, ...ran(run), tree: run.verify?.tree ?? tree ?? (await trees?.now(signal)) };
  if (made === null || run.known === null || !hasShown(run.known)) return looked;
  const done = await proofOf(ports, task, { before: made, known: run.known, guards: input.guard === "reject" });
  return done === null ? looked : { ...looked, done };
}

/**
 * The proof that results from a green run before a delegation; null if changes to tests or commands made the run green.
 */
async function proofOf(
  ports: WholePorts,
  task: Task,
  { before, known, guards }: { readonly before: Before; readonly known: KnownRun; readonly guards: boolean },
): Promise<Proof | null> {
  const changes = await changesSoFar(ports, task, known.tree);
  if (guards && changes !== null) {
    const run = { command: before.command, counts: known.counts ?? undefined, tree: known.tree };
    const { harms } = await guardWork(ports, task, { run, changes, before });
    if (harms.length > 0) return null;
  }
  return proofOfWork(ports, task, { before, changes });
}

const ran = ({ verify }: Run): Pick<Looked, "verify"> => (verify === undefined ? {} : { verify });

function commandOf({ fields }: Task): (Verify & { readonly kind: "command" }) | null {
  const read = readVerify(fields.verify);
  return read.kind === "command" ? read : null;
}

/** The red run that a fix was made for; null if the task is not a fix, or was made for another reason. */
export function redBefore({ attempts }: WholePorts, { id, fixOf }: Task, command: string): Before | null {
  const made = attempts.intended(id);
  if (fixOf === null && made === null) return null;
  const last = attempts.lastRun(command);
  const red = last === null || last.passed ? null : beforeOf(command, last);
  // Take the failures from the record of the fix. Other tasks may have run the command later, and the last run is lost
  // if the start was killed before recording it.
  const { failing, reds = [], command: own } = made?.madeFor ?? {};
  return failing === undefined || own !== command ? red : { ...(red ?? notThere(command)), failing, reds };
}

/** The reason why a command is not run before the first attempt; null if it is run. */
function whyNot(task: Task, command: string): string | null {
  if (isChecking(task)) return "its purpose is to check";
  return reachesOut(command) ? "its Verify reaches outside" : null;
}

interface Run {
  readonly before: Before;
  /** Null if the run timed out or could not start. */
  readonly known: KnownRun | null;
  /** Absent if the result of an earlier run is reused. */
  readonly verify?: VerifyRun;
}

interface Asked {
  readonly key: string;
  readonly task: TaskId;
  readonly command: string;
  readonly limitMs: number;
  readonly tree: string | null | undefined;
  readonly last: KnownRun | null;
}

/**
 * Minimum time limit of a Verify before the work, in milliseconds. The limit is three times the last duration of the
 * command if that is longer.
 */
const timeBefore = 60_000;

async function runOnce(ports: WholePorts, asked: Asked, signal: AbortSignal): Promise<Run> {
  const { command, tree, key, task, last } = asked;
  if (last !== null && tree != null && last.tree === tree) return { before: beforeOf(command, last), known: last };
  const timeoutMs = Math.min(asked.limitMs, Math.max(timeBefore, 3 * (last?.durationMs ?? 0)));
  const verify = await whileVerifying(ports, { task, key, command }, () =>
    runCheck(ports, { command, name: `${key}/before`, timeoutMs }, signal),
  );
  if (verify.result.timedOut && timeoutMs < asked.limitMs) {
    return { before: unknownBefore(command, "its Verify takes too long"), known: null };
  }
  const known = knownRun(verify);
  return { before: beforeOf(command, known), known, verify };
}

/** Baselines of batch members, read once, before any work of the batch. */
const looks = new WeakMap<object, { readonly of: string; readonly all: Promise<ReadonlyMap<TaskId, Looked>> }>();

function lookAtAll(
  ports: WholePorts,
  input: Parameters<typeof verifyBefore>[1],
  signal: AbortSignal,
): Promise<ReadonlyMap<TaskId, Looked>> {
  const { members = [] } = input;
  const of = members.join(" ");
  const before = looks.get(ports.attempts);
  if (before?.of === of) return before.all;
  const all = look();
  looks.set(ports.attempts, { of, all });
  return all;

  async function look(): Promise<ReadonlyMap<TaskId, Looked>> {
    const found = new Map<TaskId, Looked>();
    // Members may share a command: reuse the runs of this loop, which are recorded only later.
    const made = new Map<string, KnownRun>();
    const lastRun = (command: string) => made.get(command) ?? ports.attempts.lastRun(command);
    for (const member of members) {
      if (ports.attempts.before(member) !== null) continue;
      const task = await findTask(ports, member);
      const one = { ...input, key: `${member}#1/delegate`, task: member };
      const { members: _, ...alone } = one;
      const looked = await verifyBefore(ports, alone, task, signal, lastRun);
      if (looked.verify !== undefined) made.set(looked.verify.command, knownRun(looked.verify));
      found.set(member, looked);
    }
    return found;
  }
}
