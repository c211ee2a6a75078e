import type { Effect, EffectName } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import { attemptOf } from "../model/reply.ts";
import { wholeOf } from "../model/task-id.ts";
import type { Attempts } from "../ports/attempts.ts";

/**
 * See that the memory knows what an effect goes on from: the attempt it is about, the part of a task, the members of a
 * batch. It does not where a machine is restored without the records of its run.
 *
 * @throws {InputError} `memory-missing`
 */
export function checkMemory(attempts: Attempts, effect: Effect): void {
  const missing = missingFor(attempts, effect);
  if (missing === undefined) return;
  throw new InputError(`Cannot go on with \`${effect.key}\`, expected a memory that knows ${missing}`, {
    code: "memory-missing",
    hint: "Pass `attempts: createRunMemory({ store })` to `createEffects`, and `apply` to it the records that its store was given before",
  });
}

/** Effects that begin with what an attempt has left. */
const onAttempt: ReadonlySet<EffectName> = new Set([
  "changePlan",
  "verify",
  "review",
  "readFailure",
  "wait",
  "insertFix",
  "recordPass",
]);

function missingFor(attempts: Attempts, { name, key, input }: Effect): string | undefined {
  const known = (attempt: string): boolean => attempts.knows(attempt);
  if (name === "gatherParts") return input.parts.find((part) => !known(part));
  if (name === "mergeProgress") return input.logs.find((root) => Object.keys(attempts.spent(root)).length === 0);
  if ("task" in input && wholeOf(input.task) !== null && attempts.part(input.task) === null) return input.task;
  return onAttempt.has(name) && !known(attemptOf(key)) ? attemptOf(key) : undefined;
}
