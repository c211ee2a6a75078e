import { readVerify } from "../markdown/tasks/read-verify.ts";
import type { Answer, EffectInput, Question } from "../model/effect.ts";
import type { CompletionEvidence, VerifyEvidence } from "../model/evidence.ts";
import { attemptOf } from "../model/reply.ts";
import { roleOf, type Task } from "../model/task.ts";
import type { LayerResult } from "../model/verdict.ts";
import { findContradiction } from "../parse/find-contradiction.ts";
import { parseSignal } from "../parse/parse-signal.ts";
import { judgeCheckmarks } from "../recover/judge-checkmarks.ts";
import { judgeCompletion } from "../recover/judge-completion.ts";
import { findTask } from "./find-task.ts";
import { takeTicksBack } from "./take-ticks-back.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Judge the claim of an attempt, and run the task's own Verify when everything before it accepts. Ticks that nobody
 * accepted are taken back; notes in the plan are kept; a plan that was changed otherwise is left for a person.
 *
 * @see docs/verification.md
 */
export async function verify(
  ports: WholePorts,
  input: EffectInput<"verify">,
  signal: AbortSignal,
): Promise<Answer<"verify">> {
  const { attempts, plan } = ports;
  const task = await findTask(ports, input.task);
  const { reply } = await attempts.recall(attemptOf(input.key));
  const question = await askAboutChange(ports, task);
  if (question !== null) return question;
  const { known, found } = await plan.read();
  const claim: CompletionEvidence = {
    task,
    reply,
    signal: parseSignal(reply.text, roleOf(task)),
    contradiction: findContradiction(reply.text),
    before: known.plan,
    after: found.plan,
    requireExecutorTick: input.requireExecutorTick,
    verify: null,
    madeFor: attempts.intended(task.id)?.error ?? null,
  };
  let verdict = judgeCompletion(claim);
  if (verdict.kind === "accepted") {
    verdict = judgeCompletion({ ...claim, verify: await runVerify(ports, input, task, signal) });
  }
  // Verify takes its time, in which the plan may be changed as well.
  const later = await askAboutChange(ports, task);
  if (later !== null) return later;
  await takeTicksBack(ports, verdict.kind === "accepted" ? task.id : null);
  await plan.adopt(verdict.kind === "accepted" ? task.id : null);
  const decisive = verdict.layers.find(({ kind }) => kind === verdict.kind) as LayerResult;
  if (decisive.kind === "accepted") return { kind: "accepted" };
  const { layer, kind, reason } = decisive;
  if (kind !== "undecided") return { kind, layer, reason };
  return {
    kind: "gate",
    reason: `Task ${task.id}: ${reason}`,
    hint: "Mend the task's Verify in tasks.md, then run again",
  };
}

async function runVerify(
  { attempts, shell }: WholePorts,
  { key, trustExecutor, timeoutMs }: EffectInput<"verify">,
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

/** The question that a change of the plan asks which goes beyond what an attempt may do; null without one. */
async function askAboutChange(ports: WholePorts, task: Task): Promise<Question | null> {
  const { known, found } = await ports.plan.read();
  const change = judgeCheckmarks({ task, before: known.plan, after: found.plan, requireExecutorTick: false });
  if (change.kind !== "undecided") return null;
  await takeTicksBack(ports);
  return {
    kind: "gate",
    reason: `The plan was changed while task ${task.id} was worked on: ${change.reason}`,
    hint: "Look at tasks.md; run again with --yes to accept its text as it stands",
  };
}
