import { InvariantError } from "../model/errors.ts";
import type { Failure } from "../model/failure.ts";
import type { TaskId } from "../model/task-id.ts";
import { parseFailure } from "../parse/parse-failure.ts";
import type { AttemptRecord } from "../ports.ts";
import { classifyFailure } from "../recover/classify-failure.ts";
import { verifyError } from "../recover/judge-completion.ts";

/** What a failed attempt failed with: its Verify when that was run, else what the executor said. */
export function failureOf(task: TaskId, { reply, verify }: AttemptRecord): Failure {
  if (verify === null) {
    const failure = parseFailure(task, reply.text);
    return { ...failure, kind: classifyFailure({ reply, failure }) };
  }
  const { exitCode, timedOut, stdout, stderr } = verify.result;
  if (exitCode === 0)
    throw new InvariantError(`Cannot read a failure of \`${task}\`, its Verify passed`, { code: "no-failure" });
  return {
    taskId: task,
    failed: true,
    kind: timedOut ? "timeout" : "task",
    error: verifyError({ kind: "ran", exitCode, timedOut, output: { stdout, stderr } }),
    attemptedFix: "No fix attempted",
    status: "Verify did not pass",
    rawOutput: `${stdout}${stderr}`,
    unstated: ["attemptedFix"],
  };
}
