import { InvariantError } from "../model/errors.ts";
import type { Failure } from "../model/failure.ts";
import type { TaskId } from "../model/task-id.ts";
import { parseFailure } from "../parse/parse-failure.ts";
import type { AttemptRecord } from "../ports.ts";
import { classifyFailure } from "../recover/classify-failure.ts";

/**
 * What a failed attempt failed with: what a reviewer found, else the layer that failed it, else what the executor
 * itself said.
 *
 * @param now Milliseconds since 1970, for limits that are told as durations.
 */
export function failureOf(task: TaskId, { reply, verify, judgement, review }: AttemptRecord, now: number): Failure {
  if (review !== null) {
    const findings = review.code || review.spec;
    return failure(task, firstLine(findings), "The reviewer did not pass it", findings);
  }
  const failed = judgement?.layers.find(({ kind }) => kind === "failed");
  if (failed === undefined) {
    throw new InvariantError(`Cannot read a failure of \`${task}\`, no layer failed it`, { code: "no-failure" });
  }
  if (failed.layer === "signal") {
    const told = parseFailure(task, reply.text);
    const { kind, until, message } = classifyFailure({ reply, failure: told }, now);
    return {
      ...told,
      kind,
      ...(message !== null && { error: message }),
      ...(until !== null && { until }),
    };
  }
  const output = verify === null ? "" : `${verify.result.stdout}${verify.result.stderr}`;
  const told = failure(task, failed.reason ?? "", `${nameOf(failed.layer)} did not pass`, output);
  return verify?.result.timedOut === true ? { ...told, kind: "timeout" } : told;
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
