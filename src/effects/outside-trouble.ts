import { commandLine } from "../model/command-line.ts";
import type { Answer } from "../model/effect.ts";
import { type AttemptKey, attemptKey, type DeniedAct, isServiceKind, type Reply, taskOf } from "../model/reply.ts";
import { fingerprint } from "../model/text.ts";
import type { AttemptRecord, VerifyRun } from "../ports/attempt-record.ts";
import { classifyFailure, type FailureClass, lastLine } from "../recover/classify-failure.ts";
import { saysStopped } from "../recover/says-stopped.ts";
import { verifyTrouble } from "../recover/verify-trouble.ts";
import { leastPauseMs } from "./blocked-until.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

type Made = Pick<AttemptRecord, "reply" | "judgement">;

/**
 * The problem that kept the executor from working on any task; null if the executor worked. An executor that ends at
 * once without a message or a file change is restarted once; if the second message is the same, a person is asked.
 *
 * @param now Milliseconds since 1970.
 */
export async function ownTrouble(
  ports: Pick<WholePorts, "attempts">,
  key: AttemptKey,
  { reply, judgement }: Made,
  now: number,
): Promise<FailureClass | null> {
  const told = classifyFailure({ reply, failure: { kind: "task" } }, now);
  if (isServiceKind(told.kind)) return told;
  const changed = judgement?.evidence.git?.changed ?? [];
  if (reply.atOnce !== true || changed.length > 0) return null;
  const before = await recallBefore(ports, key, 1);
  const words = wordsOf(reply);
  const message = `${lastLine(words) ?? "no error output"} (exit ${reply.exitCode ?? 0}, ended at once)`;
  if (before?.atOnce !== true) return { kind: "startup", until: now + leastPauseMs, message };
  return fingerprint(wordsOf(before)) === fingerprint(words) ? { kind: "startup", until: null, message } : null;
}

const wordsOf = ({ stderr = "" }: Reply): string => stderr.trim();

/**
 * The denied act that a person is asked to allow; null if no act was denied, or if a person was asked already. The act
 * counts only if the agent says that it could not continue, or if an earlier attempt in the tree had a denial, too.
 */
export function withheldAct(
  { attempts }: Pick<WholePorts, "attempts">,
  key: AttemptKey,
  { denials = [], text }: Reply,
): DeniedAct | null {
  const act = attempts.newDenial(taskOf(key), denials);
  return act !== null && (saysStopped(text) || attempts.deniedBefore(key)) ? act : null;
}

async function recallBefore({ attempts }: Pick<WholePorts, "attempts">, key: AttemptKey, back: number) {
  const earlier = attemptKey(taskOf(key), Number(key.slice(key.lastIndexOf("#") + 1)) - back);
  return attempts.knows(earlier) ? (await attempts.recall(earlier)).reply : null;
}

/**
 * A question about a Verify that failed for a reason other than the work; null if the work failed.
 *
 * @param run A run of the Verify that is not recorded yet.
 */
export function verifyQuestion(
  ports: Pick<WholePorts, "attempts" | "shell" | "spec" | "address">,
  task: string,
  run: VerifyRun | null,
): Extract<Answer<"verify">, { kind: "gate" }> | null {
  if (run === null) return null;
  const { passed = [], withheld = [] } = ports.shell.secrets ?? {};
  const known = ports.attempts.lastCheck(run.command);
  const before = known && { exitCode: known.passed ? 0 : 1, timedOut: false };
  const trouble = verifyTrouble({ command: run.command, run: run.result, withheld, before });
  if (trouble === null) return null;
  const { question, hint, variable } = trouble;
  const options = variable === undefined ? [] : [...passed, variable].flatMap((name) => ["--pass-env", name]);
  const advice =
    variable === undefined
      ? `${hint}. Change tasks.md accordingly, then run again`
      : `Pass the variable on, then continue: ${commandLine(addressIn(ports), "run", { options })}`;
  return { kind: "gate", reason: `Task ${task}: ${question}`, hint: advice };
}
