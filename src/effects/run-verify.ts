import { readVerify } from "../markdown/tasks/read-verify.ts";
import { whyNoProgram } from "../model/doubtful-command.ts";
import type { EffectInput } from "../model/effect.ts";
import type { VerifyEvidence } from "../model/evidence.ts";
import { attemptOf } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { checkRan } from "../recover/evidence-of.ts";
import { judgeWork, type WorkJudged } from "./judge-work.ts";
import { whileVerifying } from "./progress-meter.ts";
import { runCheck } from "./run-check.ts";
import type { WholePorts } from "./with-memory.ts";

interface Verified extends Omit<WorkJudged, "run"> {
  readonly evidence: VerifyEvidence;
  readonly run: VerifyRun | null;
}

const notRun = { run: null, proof: null, question: null, changes: null, changed: null, made: null, excused: [] };

/** The result if executors are trusted: no command runs. */
export const trusted: Verified = { evidence: { kind: "trusted" }, ...notRun };

export async function runVerify(
  ports: WholePorts,
  { key, timeoutMs, knownFailures = "repair", grouped = false }: EffectInput<"verify">,
  task: Task,
  signal: AbortSignal,
): Promise<Verified> {
  const read = readVerify(task.fields.verify);
  if (read.kind === "unrunnable") return { evidence: { kind: "unrunnable", reason: read.reason }, ...notRun };
  if (read.word !== null && !(await ports.shell.exists(read.word))) {
    return { evidence: { kind: "unrunnable", reason: whyNoProgram(read.command, read.word).why }, ...notRun };
  }
  const attempt = attemptOf(key);
  const { command } = read;
  const runAs = (name: string): Promise<VerifyRun> =>
    whileVerifying(ports, { task: task.id, key: attempt, command }, () =>
      runCheck(ports, { command, name, timeoutMs }, signal),
    );
  const judging = { task, knownFailures, grouped };
  const judged = await judgeWork(ports, judging, await runAs(key), () => runAs(`${key}/again`), signal);
  return { evidence: checkRan(judged.run), ...judged };
}
