import { readRealityCheck } from "../markdown/progress/reality-check.ts";
import type { EffectInput } from "../model/effect.ts";
import type { RealityEvidence } from "../model/evidence.ts";
import type { Question } from "../model/person-event.ts";
import { attemptOf } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { checkRan } from "../recover/evidence-of.ts";
import { renderItem } from "../wording/render-items.ts";
import { whileVerifying } from "./progress-meter.ts";
import { mayRun, runCheck } from "./run-check.ts";
import type { WholePorts } from "./with-memory.ts";

/** Rerun the command that failed before the work, and write the result into the progress log. */
export async function checkReality(
  ports: WholePorts,
  task: Task,
  { key, timeoutMs }: Pick<EffectInput<"verify">, "key" | "timeoutMs">,
  signal: AbortSignal,
): Promise<{ readonly evidence: RealityEvidence; readonly run: VerifyRun | null } | Question> {
  const { documents, plan } = ports;
  const attempt = attemptOf(key);
  const check = readRealityCheck(await documents.progress());
  if (check === null) return { evidence: { kind: "missing" }, run: null };
  const { command } = check;
  const consent = await mayRun(ports, { purpose: "reality", commands: [command] });
  if (!consent.given) {
    return {
      kind: "gate",
      reason: `Task ${task.id}: the reality check runs a command that no one has approved: ${renderItem(command)}`,
      hint: `Read the command in .progress.md; ${consent.hint}`,
    };
  }
  const run = await whileVerifying(ports, { task: task.id, key: attempt, command }, () =>
    runCheck(ports, { command, name: `${attempt}/reality`, timeoutMs }, signal),
  );
  const { exitCode, stdout, stderr } = run.result;
  const output = `${stdout}${stderr}`;
  await plan.exclusively(() => documents.append({ kind: "reality", task: task.id, command, exitCode, output }));
  return { evidence: { ...checkRan(run), command }, run };
}
