import type { Answer, EffectInput } from "../model/effect.ts";
import { attemptOf, taskOf } from "../model/reply.ts";
import { isServiceKind } from "../model/service-problem.ts";
import { roleOf } from "../model/task.ts";
import { digestFailure } from "../recover/digest-failure.ts";
import { executorsOf } from "./executor-chain.ts";
import { failureOf } from "./failure-of.ts";
import { findTask } from "./find-task.ts";
import type { WholePorts } from "./with-memory.ts";

/** The first pause before an executor is tried again that does not say when it can work, and the longest. */
const firstPauseMs = 60_000;
const longestPauseMs = 30 * 60_000;
/** The least pause, whatever an executor says: one that ends in no time would be asked again and again. */
const leastPauseMs = 1000;

/**
 * Read what an attempt failed with, from the recorded end of its output, of its Verify or of its review. When it was
 * the executor that could not work, also when one can again, or whether another of its chain stands in at once.
 */
export async function readFailure(
  ports: WholePorts,
  { key, task, waits }: EffectInput<"readFailure">,
): Promise<Answer<"readFailure">> {
  const { attempts, clock, executors } = ports;
  const now = clock.now();
  const attempt = attemptOf(key);
  const failure = failureOf(task, await attempts.recall(attempt), now);
  const digest = digestFailure(failure);
  if (!isServiceKind(failure.kind)) return digest;
  const passes = failure.kind === "rate-limit" || failure.kind === "offline";
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(waits, 10));
  attempts.spare(taskOf(attempt));
  const blocked = passes ? Math.max(failure.until ?? now + pause, now + leastPauseMs) : null;
  attempts.availability.block(attempt, blocked);
  const role = roleOf(await findTask(ports, task));
  const free = attempts.availability.nextFree(role, executorsOf(executors, role).length, now);
  // Where another stands in, nobody waits: what the next start has to know is how long this one cannot work.
  const fallback = free !== null && free <= now;
  return { ...digest, until: fallback ? blocked : free, fallback };
}
