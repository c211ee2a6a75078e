import { blockOf } from "../markdown/document/find-task.ts";
import type { EffectInput } from "../model/effect.ts";
import { attemptOf } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import { parseReview } from "../parse/parse-review.ts";
import type { Outcome } from "../ports/attempt-record.ts";
import { renderReviewPrompt } from "../prompt/render-review-prompt.ts";
import { judgeReview } from "../recover/judge-completion.ts";
import { dispatch } from "./dispatch.ts";
import { findTask } from "./find-task.ts";
import { progressFileOf, specName } from "./spec-paths.ts";
import { settleEdits } from "./unauthorized-edits.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Ask a reviewer about an accepted attempt. Findings in the code fail the attempt; findings in the spec, and findings
 * that remain after the last round, go into the progress log.
 *
 * @throws {EnvironmentError} `executor-not-started`, `executor-failed`: there was no reply.
 */
export async function review(
  ports: WholePorts,
  input: EffectInput<"review">,
  signal: AbortSignal,
): Promise<Outcome<"review">> {
  const { documents, plan, spec = "" } = ports;
  const { round } = input;
  const attempt = attemptOf(input.key);
  const task = await findTask(ports, input.task);
  const handed = {
    key: `${attempt}/review`,
    role: "reviewer",
    task,
    attempt: round,
    retries: 0,
    progressFile: progressFileOf(spec, null),
    prompt: () => writePrompt(ports, task, { attempt, round }),
  } as const;
  const reply = await dispatch(ports, handed, input.limits, signal);
  if ("kind" in reply) return { answer: reply };
  const found = { ...parseReview(reply.text), round };
  if (found.verdict === "none") signal.throwIfAborted();
  const { usage } = reply;
  const facts = { review: { ...found, ...(usage !== undefined && { usage }) } };
  const question = await plan.exclusively(() => settleEdits(ports, task));
  if (question !== null) return { answer: question, facts };
  const findings = [found.code, found.spec].filter((text) => text !== "").join("\n");
  if (judgeReview(found).kind === "failed") return { answer: { kind: "failed", findings }, facts };
  if (findings !== "") {
    await plan.exclusively(() => documents.append({ kind: "suggestion", task: task.id, text: findings }));
  }
  const passed = found.verdict === "pass";
  const told = findings || (passed ? "" : "the reviewer gave no verdict");
  return { answer: { kind: "accepted", passed, findings: told }, facts };
}

async function writePrompt(
  { documents, plan, attempts, spec = "" }: WholePorts,
  task: Task,
  { attempt, round }: { readonly attempt: string; readonly round: number },
): Promise<string> {
  const { judgement } = await attempts.recall(attempt);
  return renderReviewPrompt({
    task,
    block: blockOf(await plan.known(), task.id),
    spec: { name: specName(spec), folder: spec },
    changed: judgement?.evidence.git?.changed ?? [],
    commits: judgement?.evidence.git?.commits ?? [],
    design: await documents.artifact("design.md"),
    requirements: await documents.artifact("requirements.md"),
    findings: attempts.findings(task.id),
    round,
  });
}
