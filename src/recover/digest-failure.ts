import type { DecisionState } from "../model/decision.ts";
import type { FailedAttempt } from "../model/escalation.ts";
import type { Failure, FailureDigest } from "../model/failure.ts";
import type { FailureSet } from "../model/failure-set.ts";
import { iterationsOn, spentOn } from "../model/ledger.ts";
import type { DeniedAct } from "../model/reply.ts";
import { clamp, fingerprint, hashText } from "../model/text.ts";

/** Maximum length of each stored text of a failed attempt, in code points. */
const kept = 200;

export const digestAttempt = ({ error, findings = [], changed = null, ...told }: FailedAttempt): FailureDigest => ({
  kind: "task",
  error: clamp(error, kept),
  attemptedFix: "",
  status: "",
  fingerprint: clamp(told.fingerprint ?? fingerprint(error), kept),
  signs: {
    strategy: clampOrNull(told.strategy),
    findings: findings.map((finding) => clamp(finding, kept)),
    admission: clampOrNull(told.admission),
    fileState: clampOrNull(told.fileState),
    changed,
  },
});

const clampOrNull = (text: string | null = null): string | null => text && clamp(text, kept);

export function digestDenial(denied: DeniedAct): FailureDigest {
  const error = `${denied.tool} was not allowed: ${denied.act}`;
  return {
    kind: "permission",
    error,
    attemptedFix: "No fix attempted",
    status: "Not allowed",
    fingerprint: fingerprint(error),
    until: null,
    denied,
  };
}

/** Maximum length of each stored text of a failure, in code points. */
const keptOfFailure = 500;

/** Reduce a failure to the facts that are recorded. */
export const digestFailure = (failure: Failure): FailureDigest => {
  const { kind, error, attemptedFix, status, reported, unstated, until, failing, evidence, unreported } = failure;
  return {
    kind,
    error: clamp(error, keptOfFailure),
    attemptedFix: clamp(attemptedFix, keptOfFailure),
    status: clamp(status, keptOfFailure),
    ...(reported !== undefined && { reported: clamp(reported, keptOfFailure) }),
    fingerprint: failing === undefined ? fingerprint(error) : fingerprintOf(failing),
    ...(unstated.length > 0 && { unstated: [...unstated] }),
    ...(failing !== undefined && { failing }),
    ...(evidence !== undefined && { evidence }),
    ...(until !== undefined && { until }),
    ...(unreported !== undefined && { unreported }),
  };
};

/** Equal for sets with the same members. Sets without names are compared by their size. */
const fingerprintOf = ({ stage, count, ids }: FailureSet): string =>
  hashText(`${stage} ${count}`) + hashText(ids === null ? stage : ids.join(" "));

/**
 * Recall the last failure of a task whose iterations are spent, so that a changed ladder can try other remedies. Null
 * if iterations remain, if no failure is recorded, or if a person is asked. Also null after a prompt that was too long,
 * since no fix task would help.
 */
export function recallFailure({
  current,
  spent,
  policy,
  escalation,
}: Pick<DecisionState, "current" | "spent" | "policy" | "escalation">): FailureDigest | null {
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
    // If `change` is null, the set comes from an earlier attempt.
    ...(failing !== null && change !== null && { failing }),
    evidence,
  };
}
