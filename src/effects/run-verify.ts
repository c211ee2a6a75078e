import { readVerify } from "../markdown/tasks/read-verify.ts";
import type { EffectInput } from "../model/effect.ts";
import type { VerifyEvidence } from "../model/evidence.ts";
import { attemptOf } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Run the Verify command of a task as the coordinator knows it. */
export async function runVerify(
  { attempts, shell }: WholePorts,
  { key, trustExecutor, timeoutMs }: Pick<EffectInput<"verify">, "key" | "trustExecutor" | "timeoutMs">,
  task: Task,
  signal: AbortSignal,
): Promise<VerifyEvidence> {
  if (trustExecutor) return { kind: "trusted" };
  const read = readVerify(task.fields.verify);
  if (read.kind === "unrunnable") return { kind: "unrunnable", reason: read.reason };
  if (read.word !== null && !(await shell.exists(read.word))) {
    return { kind: "unrunnable", reason: `\`${read.word}\` is not a command here` };
  }
  const result = await shell.run(read.command, { timeoutMs }, signal);
  signal.throwIfAborted();
  const { exitCode, timedOut } = result;
  const [stdout, stderr] =
    exitCode === 0 ? ["", ""] : [result.stdout.slice(-keptOutput), result.stderr.slice(-keptOutput)];
  attempts.keepVerify(attemptOf(key), { command: read.command, result: { ...result, stdout, stderr } });
  return { kind: "ran", exitCode, timedOut, output: { stdout, stderr } };
}

/** Characters of each stream that are recorded; the error is read from their last line. */
const keptOutput = 4096;
