import { EnvironmentError, FixpointError } from "../model/errors.ts";
import type { Level } from "../model/escalation.ts";
import type { Baseline } from "../model/git-evidence.ts";
import type { Denial, RunLimits } from "../model/limits.ts";
import { interpreted } from "../model/parse-json.ts";
import type { Race } from "../model/record.ts";
import { Reply } from "../model/reply.ts";
import type { Role } from "../model/role.ts";
import type { Rung } from "../model/rung.ts";
import type { Task } from "../model/task.ts";
import type { DelegationParts, Instructions } from "../ports/delegation-parts.ts";
import type { Delegation, Executor, HandOut } from "../ports/executor.ts";
import { renderPrompt } from "../prompt/render-prompt.ts";
import { type Candidate, candidatesFor, isHandOut, numbersOf } from "./executor-chain.ts";
import { openProgress } from "./progress-meter.ts";
import type { Looked } from "./verify-before.ts";
import { sleepUntil } from "./wait.ts";
import type { WholePorts } from "./with-memory.ts";

export interface Dispatch {
  /** Key of the attempt; a review adds `/review`. */
  readonly key: string;
  readonly role: Role;
  readonly task: Task;
  readonly attempt: number;
  readonly retries: number;
  readonly progressFile: string;
  readonly level?: Level | undefined;
  readonly rung?: Rung | null;
  /** Reads the state before the attempt, once an executor can work; absent if the work is no attempt. */
  readonly baseline?: () => Promise<Baseline>;
  readonly looked?: Looked;
  readonly race?: Race | undefined;
  /**
   * Builds the prompt or its parts, once the delegation is admitted. @param instructions How the executor reports its
   * outcome.
   */
  readonly prompt: (instructions: Instructions) => Promise<string | DelegationParts>;
}

/** The worker of a handed-out delegation without a report; null if there is none. */
export function handedOutTo(
  { attempts, executors }: Pick<WholePorts, "attempts" | "executors">,
  { key, role, rung = null }: Pick<Dispatch, "key" | "role" | "rung">,
): HandOut | null {
  if (!Object.hasOwn(attempts.handedOut(), key)) return null;
  return (
    candidatesFor(executors, role, rung)
      .map(({ execute }) => execute)
      .find(isHandOut) ?? null
  );
}

/**
 * Dispatch a task to the first executor of its role that can work. The delegation is admitted and recorded before it
 * starts. A stopped run starts no executor, and ignores the reply of an executor that it ended.
 *
 * @throws {EnvironmentError} `executor-not-started`, `executor-failed`: there was no reply.
 * @throws {NotReported} The work is handed out, and not reported yet.
 */
export async function dispatch(
  ports: WholePorts,
  work: Dispatch,
  limits: RunLimits,
  signal: AbortSignal,
): Promise<Reply | Denial> {
  const chosen = handedOutTo(ports, work) ?? (await admit(ports, work, limits, signal));
  if ("limit" in chosen) return chosen;
  const reply = await give(ports, chosen, work, signal);
  // Discard the reply of an executor that the run itself ended: the work is repeated on resume.
  if (reply.ended === "signal") signal.throwIfAborted();
  return reply;
}

/**
 * Start an admitted delegation.
 *
 * @throws {EnvironmentError} `executor-not-started`, `executor-failed`: there was no reply.
 * @throws {NotReported} The work is handed out, and not reported yet.
 */
export async function give(
  ports: WholePorts,
  chosen: Executor,
  { key, role, task, attempt, progressFile, prompt }: Dispatch,
  signal: AbortSignal,
): Promise<Reply> {
  const { workspace = "", spec = "" } = ports;
  const told = await prompt(chosen.instructions ?? "text");
  const delegation = {
    key,
    role,
    taskId: task.id,
    attempt,
    ...(typeof told === "string" ? { prompt: told } : { prompt: renderPrompt(told), parts: told }),
    workspace,
    spec,
    progressFile,
  };
  signal.throwIfAborted();
  if (isHandOut(chosen)) return awaitReport(ports, chosen, delegation, signal);
  const progress = openProgress(ports, { task: task.id, key, stage: "work" });
  return replyOf(() => chosen(delegation, signal, progress.tell), task.id).finally(progress.end);
}

export async function admit(
  ports: WholePorts,
  { key, role, task, attempt, retries, level, rung = null, baseline, looked, race }: Dispatch,
  limits: RunLimits,
  signal: AbortSignal,
): Promise<Executor | Denial> {
  const { attempts, clock, executors } = ports;
  const known = candidatesFor(executors, role, rung);
  // In a race, each attempt starts with a different executor.
  const turned = race === undefined ? 0 : (attempt - race.first) % known.length;
  const candidates = [...known.slice(turned), ...known.slice(0, turned)];
  const numbers = numbersOf(candidates);
  // Wait once more if another task has hit the executor's limit meanwhile.
  const free = attempts.availability.nextFree(role, numbers, clock.now());
  if (free !== null && free > clock.now()) await sleepUntil(ports, free, signal);
  signal.throwIfAborted();
  // Record the baseline before the start, so that a repeated attempt can recognise its own work.
  const from = await baseline?.();
  signal.throwIfAborted();
  const executor = attempts.availability.choose(role, numbers, clock.now());
  const { execute: chosen } = candidates.find(({ number }) => number === executor) as Candidate;
  const facts = {
    key,
    task: task.id,
    title: task.title,
    role,
    attempt,
    retries,
    executor,
    ...(rung !== null && { rung }),
    ...(level !== undefined && { level }),
    ...(from !== undefined && { baseline: from }),
    ...(looked?.before !== undefined && { before: looked.before }),
    ...(looked?.verify !== undefined && { verify: looked.verify }),
    ...(looked?.tree !== undefined && { tree: looked.tree }),
    ...(looked?.base !== undefined && { base: looked.base }),
    ...(race !== undefined && { race }),
    ...(isHandOut(chosen) && { handedOut: { nonceHash: chosen.nonceHashOf(key, null), since: clock.now() } }),
  };
  return (await attempts.admit(facts, limits)) ?? chosen;
}

async function awaitReport(
  { attempts, clock }: WholePorts,
  report: HandOut,
  delegation: Delegation,
  signal: AbortSignal,
): Promise<Reply> {
  const { key } = delegation;
  const held = attempts.handedOut()[key]?.nonceHash ?? null;
  const nonceHash = report.nonceHashOf(key, held);
  // A worker that lost its nonce gets another nonce.
  if (held !== nonceHash) attempts.record([{ type: "handedOut", key, nonceHash, since: clock.now() }]);
  const reply = await report(delegation, signal, () => {});
  return replyOf(async () => reply, delegation.taskId);
}

/**
 * Run an executor, and validate its reply.
 *
 * @throws {EnvironmentError} `executor-not-started`, `executor-failed`: there was no reply.
 */
export async function replyOf(start: () => Promise<Reply | string>, task: string): Promise<Reply> {
  try {
    const reply = await start();
    if (typeof reply === "string") return { text: reply };
    const checked = Reply.safeParse(reply, interpreted);
    if (!checked.success) throw new Error(`its reply is invalid: ${checked.error.issues[0]?.message}`);
    const { claim } = checked.data;
    if (reply.ended !== "spawn") return claim === undefined ? reply : { ...reply, claim };
    throw new EnvironmentError(`Cannot start the executor for task \`${task}\`: ${reply.text}`, {
      code: "executor-not-started",
    });
  } catch (cause) {
    if (cause instanceof FixpointError) throw cause;
    throw new EnvironmentError(`Cannot execute task \`${task}\`: ${String(cause)}`, {
      code: "executor-failed",
      hint: "Fix the executor, then run again: the attempt is repeated",
      cause,
    });
  }
}
