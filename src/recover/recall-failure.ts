import type { FailureDigest } from "../model/failure.ts";
import { iterationsOn, spentOn } from "../model/ledger.ts";
import type { TaskContext } from "../model/task-context.ts";

/**
 * What a start knows of the last failure of a task that has no iterations left: enough for the other remedies of a ladder
 * that was changed. Null while a start begins with an iteration, while nothing is known to fail, while a person is asked,
 * and for a task whose prompt was too long, which no fix helps.
 */
export function recallFailure({
  current,
  spent,
  policy,
  escalation,
}: Pick<TaskContext, "current" | "spent" | "policy" | "escalation">): FailureDigest | null {
  const { lastError, lastFingerprint, evidence, failing, change, asked, approaches } = escalation;
  if (asked || lastError === null || lastFingerprint === null || evidence === null) return null;
  if (iterationsOn(spent, current) < policy.maxTaskIterations) return null;
  if (spentOn(spent, current).tooLong !== undefined) return null;
  const tried = approaches.findLast(({ error }) => error === lastError)?.strategy ?? null;
  return {
    kind: "task",
    error: lastError,
    attemptedFix: tried ?? "",
    status: "",
    unstated: tried === null ? ["attemptedFix", "status"] : ["status"],
    fingerprint: lastFingerprint,
    // Without a change, what failed is known from an attempt before.
    ...(failing !== null && change !== null && { failing }),
    evidence,
  };
}
