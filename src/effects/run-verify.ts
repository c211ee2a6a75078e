import { readVerify } from "../markdown/tasks/read-verify.ts";
import type { EffectInput } from "../model/effect.ts";
import type { VerifyEvidence } from "../model/evidence.ts";
import { attemptOf } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { checkRan } from "../recover/check-ran.ts";
import { runCheck } from "./run-check.ts";
import { whileVerifying } from "./tell-progress.ts";
import type { WholePorts } from "./with-memory.ts";

/** What a Verify has come to, and the command that was run for it; null without one. */
interface Verified {
  readonly evidence: VerifyEvidence;
  readonly run: VerifyRun | null;
}

/** What it comes to where executors are trusted: nothing is run. */
export const trusted: Verified = { evidence: { kind: "trusted" }, run: null };

/** Run the Verify command of a task as the coordinator knows it. */
export async function runVerify(
  ports: WholePorts,
  { key, timeoutMs }: Pick<EffectInput<"verify">, "key" | "timeoutMs">,
  task: Task,
  signal: AbortSignal,
): Promise<Verified> {
  const read = readVerify(task.fields.verify);
  if (read.kind === "unrunnable") return { evidence: { kind: "unrunnable", reason: read.reason }, run: null };
  if (read.word !== null && !(await ports.shell.exists(read.word))) {
    return { evidence: { kind: "unrunnable", reason: `\`${read.word}\` is not a command here` }, run: null };
  }
  const attempt = attemptOf(key);
  const { command } = read;
  const run = await whileVerifying(ports, { task: task.id, key: attempt, command }, () =>
    runCheck(ports, { command, name: key, timeoutMs }, signal),
  );
  return { evidence: checkRan(run), run };
}
