import { digestOutput } from "../digest/digest-output.ts";
import { InvariantError } from "../model/errors.ts";
import type { ReviewEvidence } from "../model/evidence.ts";
import type { Failure } from "../model/failure.ts";
import { setOfRun } from "../model/failure-set.ts";
import type { Reply } from "../model/reply.ts";
import type { Role } from "../model/role.ts";
import type { TaskId } from "../model/task-id.ts";
import { claimOf, failureOfClaim } from "../parse/claim-of.ts";
import { notDescribed } from "../parse/parse-failure.ts";
import type { AttemptRecord, VerifyRun } from "../ports/attempt-record.ts";
import { classifyFailure } from "../recover/classify-failure.ts";
import { evidenceOf } from "../recover/evidence-of.ts";
import { lastLine } from "../recover/last-line.ts";
import { tellLimit } from "../recover/tell-limit.ts";

/** What a failure is read from. */
export type FailedRecord = Pick<AttemptRecord, "reply" | "verify" | "reality" | "judgement" | "review">;

/**
 * What a failed attempt failed with: what a reviewer found, else the layer that failed it, else what the executor
 * itself said.
 *
 * @param role Who has made the attempt; undefined when it is not known.
 * @param now Milliseconds since 1970, for limits that are told as durations.
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
    const told = failure(task, firstLine(review.code || review.spec), "The reviewer did not pass it", findings);
    return { ...told, evidence: evidenceOf({ run: null, claim, findings }) };
  }
  const failed = judgement?.layers.find(({ kind }) => kind === "failed");
  if (failed === undefined) {
    throw new InvariantError(`Cannot read a failure of \`${task}\`, no layer failed it`, { code: "no-failure" });
  }
  if (failed.layer === "signal") return withoutCompletion(task, { reply, reason: failed.reason }, role, now);
  const run = failed.layer === "reality" ? reality : verify;
  const told = failure(task, failed.reason ?? "", `${nameOf(failed.layer)} did not pass`, outputOf(run));
  return {
    ...told,
    ...(run?.result.timedOut === true && { kind: "timeout" as const }),
    ...failingIn(run),
    evidence: evidenceOf({ run, claim, findings: "" }),
  };
}

/** What a reviewer has found, in its own words. */
export const findingsOf = ({ code, spec }: ReviewEvidence): string =>
  [code, spec].filter((text) => text !== "").join("\n");

/** What a command has printed; nothing where none was run. */
export const outputOf = (run: VerifyRun | null): string =>
  run === null ? "" : `${run.result.stdout}${run.result.stderr}`;

function withoutCompletion(
  task: TaskId,
  { reply, reason = null }: { readonly reply: Reply; readonly reason: string | null | undefined },
  role: Role | undefined,
  now: number,
): Failure {
  const { text: claim, ended = "exit", exitCode = 0 } = reply;
  const told = failureOfClaim(reply, task);
  const { kind, until, message } = classifyFailure({ reply, failure: told }, now);
  const { signal } = claimOf(reply, role ?? "executor");
  const claimed = signal === null ? null : reason;
  // Who was stopped may have said before what went wrong.
  const unsaid = told.error === notDescribed ? (tellLimit(reply) ?? sentenceOf(reply, claimed)) : null;
  const error = message ?? unsaid ?? told.error;
  const saysNothing = reply.claim === undefined && signal === null;
  const isCutOff = message === null && ended === "exit" && exitCode === 0 && saysNothing;
  // Who verifies says what is wrong in its own words.
  const findings = role === "verifier" ? claim : "";
  return {
    ...told,
    kind,
    error,
    ...(until !== null && { until }),
    ...(isCutOff && { cutOff: true }),
    // A prompt that is too long says nothing of the task, and would be the longer for it.
    ...(kind !== "context-exhausted" && { evidence: evidenceOf({ run: null, claim, findings }) }),
  };
}

/**
 * What an executor that has described no failure says last: on stderr where it gave up, else in its answer.
 *
 * @param claimed Why its claim of completion does not count; null when it has made none.
 */
function sentenceOf({ text, stderr = "", ended = "exit", exitCode = 0 }: Reply, claimed: string | null): string | null {
  const gaveUp = ended === "signal" || (ended === "exit" && exitCode !== 0);
  if (ended !== "exit" && !gaveUp) return null;
  return (gaveUp ? (thrownBy(stderr) ?? lastLine(stderr)) : null) ?? claimed ?? lastLine(text);
}

/** What a program of Node has thrown: below it Node prints its own version. */
const thrownBy = (stderr: string): string | null =>
  digestOutput(stderr, { command: "" }).failures.findLast(({ tool }) => tool === "node")?.message ?? null;

/** The set of what failed, where a tool names or counts it. */
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
