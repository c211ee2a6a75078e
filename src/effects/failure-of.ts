import { digestOutput } from "../digest/digest-output.ts";
import { InvariantError } from "../model/errors.ts";
import type { ReviewEvidence } from "../model/evidence.ts";
import type { Failure, FailureField } from "../model/failure.ts";
import { setOfRun } from "../model/failure-set.ts";
import type { Reply } from "../model/reply.ts";
import type { Role } from "../model/role.ts";
import type { TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import { claimOf, failureOfClaim } from "../parse/claim.ts";
import { notDescribed } from "../parse/parse-failure.ts";
import { findingsIn, tellingLine } from "../parse/telling-line.ts";
import type { AttemptRecord, VerifyRun } from "../ports/attempt-record.ts";
import { classifyFailure, lastLine } from "../recover/classify-failure.ts";
import { evidenceOf } from "../recover/evidence-of.ts";
import { limitPhrase } from "../recover/verify-error.ts";

export type FailedRecord = Pick<AttemptRecord, "reply" | "verify" | "reality" | "judgement" | "review">;

/**
 * Describe why an attempt failed: by the review findings, else by the failing layer of the verdict, else by the
 * executor's own words.
 *
 * @param role Role of the executor; undefined if unknown.
 * @param now Milliseconds since 1970, for limits given as durations.
 */
export function failureOf(
  task: TaskId,
  { reply, verify, reality, judgement, review }: FailedRecord,
  role: Role | undefined,
  now: number,
): Failure {
  const claim = reply.text;
  if (review !== null) {
    const findings = findingsOf(review);
    const told = failure(task, firstLine(review.code || review.spec), "The reviewer did not accept the work", findings);
    return { ...told, evidence: evidenceOf({ run: null, claim, findings }) };
  }
  const failed = judgement?.layers.find(({ kind }) => kind === "failed");
  if (failed === undefined) {
    throw new InvariantError(`Cannot read a failure of \`${task}\`, no layer failed it`, { code: "no-failure" });
  }
  if (failed.layer === "signal") {
    const said = withoutCompletion(task, reply, role, now);
    // The original reason may be outdated; Verify still shows what is left.
    return verify === null
      ? said
      : { ...said, ...failingIn(verify), evidence: evidenceOf({ run: verify, claim, findings: "" }) };
  }
  const run = failed.layer === "reality" ? reality : verify;
  const told = failure(task, failed.reason ?? "", `${nameOf(failed.layer)} did not pass`, outputOf(run));
  const reported =
    failed.layer === "verify" && judgement?.evidence.signal === "failed" ? failureOfClaim(reply, task) : null;
  return {
    ...told,
    ...(reported !== null && besideVerify(task, told, reported, run)),
    ...(run?.result.timedOut === true && { kind: "timeout" as const }),
    ...failingIn(run),
    evidence: evidenceOf({ run, claim, findings: "" }),
  };
}

/**
 * Fields that an executor's report adds to a red Verify. If the Verify printed nothing, the reported error becomes the
 * `error` of the failure. Otherwise the reported error becomes `reported`.
 */
function besideVerify(task: TaskId, told: Failure, reported: Failure, run: VerifyRun | null): Partial<Failure> {
  const { error, attemptedFix, status, unstated } = reported;
  const isSilent = outputOf(run).trim() === "";
  const isStated = (field: FailureField): boolean => !unstated.includes(field);
  const isReported = isStated("error") && error !== notDescribed(task);
  return {
    ...(isReported && (isSilent ? { error } : { reported: error })),
    ...(isStated("attemptedFix") && { attemptedFix }),
    ...(isStated("status") && { status }),
    unstated: told.unstated.filter((field) => !isStated(field)),
  };
}

export const findingsOf = ({ code, spec }: ReviewEvidence): string =>
  [code, spec].filter((text) => text !== "").join("\n");

export const outputOf = (run: VerifyRun | null): string =>
  run === null ? "" : `${run.result.stdout}${run.result.stderr}`;

function withoutCompletion(task: TaskId, reply: Reply, role: Role | undefined, now: number): Failure {
  const { text: claim } = reply;
  const told = failureOfClaim(reply, task);
  const { kind, until, message } = classifyFailure({ reply, failure: told }, now);
  const { signal } = claimOf(reply, role ?? "executor");
  const isReported = signal === "failed";
  // Without a failure report, take the limit that stopped the executor, or a sentence of its output.
  const unsaid = told.error === notDescribed(task) ? (limitPhrase(reply) ?? sentenceOf(reply, isReported)) : null;
  const error = message ?? unsaid ?? told.error;
  // A verifier describes the problem in its own words.
  const findings = role === "verifier" ? claim : "";
  return {
    ...told,
    kind,
    error,
    ...(until !== null && { until }),
    ...(!isReported && { unreported: true }),
    // A prompt that is too long says nothing about the task, and evidence would lengthen it further.
    ...(kind !== "context-exhausted" && { evidence: evidenceOf({ run: null, claim, findings }) }),
  };
}

/** Maximum length of findings, in code points. */
const maxFindings = 500;

/**
 * The sentence in which an executor without a failure report explains the failure: on stderr if it crashed, else in its
 * message.
 *
 * @param isReported Whether the executor reports a failure; then the executor's findings are the error.
 */
function sentenceOf({ text, stderr = "", ended = "exit", exitCode = 0 }: Reply, isReported: boolean): string | null {
  const gaveUp = ended === "signal" || (ended === "exit" && exitCode !== 0);
  if (ended !== "exit" && !gaveUp) return null;
  const thrown = gaveUp ? (thrownBy(stderr) ?? lastLine(stderr)) : null;
  const found = isReported ? findingsIn(text) : null;
  return thrown ?? (found === null ? tellingLine(text) : clamp(found, maxFindings));
}

/** The error that a Node program threw. The last line of stderr is only Node's version. */
const thrownBy = (stderr: string): string | null =>
  digestOutput(stderr).failures.findLast(({ tool }) => tool === "node")?.message ?? null;

function failingIn(run: VerifyRun | null): Pick<Failure, "failing"> {
  const failing = run === null ? null : setOfRun({ ...run.result, digest: run.digest });
  return failing === null ? {} : { failing };
}

const failure = (taskId: TaskId, error: string, status: string, rawOutput: string): Failure => ({
  taskId,
  failed: true,
  kind: "task",
  error,
  attemptedFix: "No fix attempted",
  status,
  rawOutput,
  unstated: ["attemptedFix", "status"],
});

const nameOf = (layer: string): string => layer.charAt(0).toUpperCase() + layer.slice(1);

const firstLine = (text: string): string =>
  text
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .find((line) => line !== "") ?? "The reviewer found something";
