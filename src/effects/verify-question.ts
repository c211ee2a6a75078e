import { commandLine } from "../model/command-line.ts";
import type { Answer } from "../model/effect.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { verifyTrouble } from "../recover/verify-trouble.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * A question about a Verify that failed for an outside reason; null if the work failed.
 *
 * @param run A run that is not recorded yet, unlike earlier runs of its command.
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
      ? `${hint}, in tasks.md, then run again`
      : `Pass it on, then continue: ${commandLine(addressIn(ports), "run", { options })}`;
  return { kind: "gate", reason: `Task ${task}: ${question}`, hint: advice };
}
