import { readRealityCheck } from "../markdown/progress/read-reality-check.ts";
import type { Question } from "../model/effect.ts";
import type { RealityEvidence } from "../model/evidence.ts";
import type { Task } from "../model/task.ts";
import { mayRun } from "./may-run.ts";
import type { WholePorts } from "./with-memory.ts";

/** Characters of each stream that are kept. */
const keptOutput = 4096;

/**
 * Run the command again that showed the failure before the work began, and write what it says now into the progress
 * log.
 */
export async function checkReality(
  ports: WholePorts,
  task: Task,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<RealityEvidence | Question> {
  const { documents, shell, plan } = ports;
  const check = readRealityCheck(await documents.progress());
  if (check === null) return { kind: "missing" };
  const { command } = check;
  if (!(await mayRun(ports, { purpose: "reality", commands: [command] }))) {
    return {
      kind: "gate",
      reason: `Task ${task.id}: the reality check runs a command that nobody has agreed to: ${command}`,
      hint: "Read it in .progress.md; run again with --yes to let it run",
    };
  }
  const { exitCode, timedOut, ...streams } = await shell.run(command, { timeoutMs }, signal);
  signal.throwIfAborted();
  const [stdout, stderr] = [streams.stdout.slice(-keptOutput), streams.stderr.slice(-keptOutput)];
  const output = `${stdout}${stderr}`;
  await plan.exclusively(() => documents.append({ kind: "reality", task: task.id, command, exitCode, output }));
  return { kind: "ran", command, exitCode, timedOut, output: { stdout, stderr } };
}
