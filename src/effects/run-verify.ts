import { readVerify } from "../markdown/tasks/read-verify.ts";
import type { EffectInput } from "../model/effect.ts";
import type { VerifyEvidence } from "../model/evidence.ts";
import { attemptOf } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import { runCheck } from "./run-check.ts";
import { whileVerifying } from "./tell-progress.ts";
import type { WholePorts } from "./with-memory.ts";

/** Run the Verify command of a task as the coordinator knows it. */
export async function runVerify(
  ports: WholePorts,
  { key, trustExecutor, timeoutMs }: Pick<EffectInput<"verify">, "key" | "trustExecutor" | "timeoutMs">,
  task: Task,
  signal: AbortSignal,
): Promise<VerifyEvidence> {
  if (trustExecutor) return { kind: "trusted" };
  const read = readVerify(task.fields.verify);
  if (read.kind === "unrunnable") return { kind: "unrunnable", reason: read.reason };
  if (read.word !== null && !(await ports.shell.exists(read.word))) {
    return { kind: "unrunnable", reason: `\`${read.word}\` is not a command here` };
  }
  const attempt = attemptOf(key);
  const { command } = read;
  const run = await whileVerifying(ports, { task: task.id, key: attempt, command }, () =>
    runCheck(ports, { command, name: key, timeoutMs }, signal),
  );
  ports.attempts.keepVerify(attempt, run);
  const { exitCode, timedOut, limitMs } = run.result;
  return { kind: "ran", exitCode, timedOut, ...(limitMs !== undefined && { limitMs }), digest: run.digest };
}
