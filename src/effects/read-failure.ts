import { readPaths } from "../markdown/lint/find-shared-files.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import type { Failure, FailureDigest } from "../model/failure.ts";
import { attemptOf, isServiceKind } from "../model/reply.ts";
import { roleOf } from "../model/task.ts";
import { shortestPrompt } from "../prompt/render-prompt.ts";
import type { FailureClass } from "../recover/classify-failure.ts";
import { digestDenial, digestFailure } from "../recover/digest-failure.ts";
import { environmentOf } from "../recover/environment-of.ts";
import { blockedUntil, mostWaited, passes } from "./blocked-until.ts";
import { candidatesFor, numbersOf } from "./executor-chain.ts";
import { failureOf } from "./failure-of.ts";
import { findTask } from "./find-task.ts";
import { ownTrouble, withheldAct } from "./outside-trouble.ts";
import { readSigns } from "./read-signs.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Read why an attempt failed, from its recorded reply, Verify or review. If the executor could not work, also find out
 * when an executor can work again, and whether another executor replaces it at once.
 */
export async function readFailure(
  ports: WholePorts,
  { key, task, waits, watch, waiting = null, maxWait = null, tooLong = 0, rung = null }: EffectInput<"readFailure">,
): Promise<Answer<"readFailure">> {
  const { attempts, clock, executors } = ports;
  const now = clock.now();
  // Start measuring a possible wait now: the time to read the failure is part of the wait.
  attempts.availability.waitedSince(now, now);
  const attempt = attemptOf(key);
  const made = await attempts.recall(attempt);
  const role = roleOf(await findTask(ports, task));
  const withheld = made.review === null ? withheldAct(ports, attempt, made.reply) : null;
  if (withheld !== null && made.judgement?.kind !== "failed") return digestDenial(withheld);
  const failure = withTrouble(
    failureOf(task, made, role, now),
    made.review === null ? await ownTrouble(ports, attempt, made, now) : null,
  );
  if (withheld !== null && !isServiceKind(failure.kind)) return digestDenial(withheld);
  const digest = digestFailure(failure);
  if (!isServiceKind(failure.kind)) {
    const signs = await readSigns(ports, task, failure, made, watch);
    const trouble =
      failure.kind === "context-exhausted" ? renderTooLong(digest, tooLong) : readTrouble(ports, task, digest);
    return { ...digest, signs, ...(await trouble) };
  }
  const told = failure.until ?? null;
  const since = waiting?.reason === failure.kind ? waiting.since : now;
  const begun = now - attempts.availability.waitedSince(since, now, mostWaited(waits));
  const blocked = blockedUntil(failure.kind, told, now, waits, maxWait === null ? undefined : begun + maxWait);
  const chain = numbersOf(candidatesFor(executors, role, rung));
  const free = attempts.availability.nextFree(role, chain, now, { attempt, until: blocked });
  // Even if another executor takes over, the next start must know how long this executor is unavailable.
  const fallback = free !== null && free <= now;
  const isUntold = told === null && passes(failure.kind);
  const until = fallback ? blocked : free;
  return { ...digest, until, ...(until !== blocked && { blocked }), fallback, ...(isUntold && { since }) };
}

/** Attribute a failure to the executor itself instead of the task. */
function withTrouble(failure: Failure, trouble: FailureClass | null): Failure {
  if (trouble === null) return failure;
  const { kind, until, message } = trouble;
  const { until: _, ...rest } = failure;
  return { ...rest, kind, error: message ?? failure.error, ...(until !== null && { until }) };
}

/** Ask a person if even the shortest prompt was too long. */
const renderTooLong = ({ error }: FailureDigest, tooLong: number): Pick<FailureDigest, "environment" | "repeated"> =>
  tooLong < shortestPrompt
    ? {}
    : { environment: `even the shortest prompt is too long for the executor: ${error}`, repeated: true };

/** The likely problem with the environment. `repeated` is true if three tasks in a row had the problem. */
async function readTrouble(
  { plan, attempts }: WholePorts,
  task: string,
  digest: FailureDigest,
): Promise<Pick<FailureDigest, "environment" | "repeated">> {
  const { tasks } = (await plan.known()).plan;
  const environment = environmentOf(digest, () =>
    tasks.flatMap(({ fields }) => [...readPaths(fields.files ?? ""), ...wordsWithSlash(fields.verify ?? "")]),
  );
  if (environment === null) return {};
  return { environment, ...(attempts.meets(task, environment) >= tasksRunning && { repeated: true }) };
}

/** Files and folders in a command: `npm test` has none. */
const wordsWithSlash = (command: string): string[] =>
  command
    .split(/[\s`'"=;&|()]+/)
    .filter((word) => /^[\w.@-]+(?:\/[\w.@*-]*)+$/.test(word))
    .map((word) => word.replace(/^(?:\.\/)+/, ""))
    .filter((word) => word !== "");

/** Number of tasks in a row with the same problem before a person is asked. */
const tasksRunning = 3;
