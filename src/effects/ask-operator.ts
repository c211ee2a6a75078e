import { goalOf } from "../markdown/document/goal-of.ts";
import { blockOf } from "../markdown/document/plan-document.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import { plannedTask } from "../model/part-id.ts";
import { attemptKey, attemptOf } from "../model/reply.ts";
import { isServiceKind } from "../model/service-problem.ts";
import type { Task } from "../model/task.ts";
import { parseDirective } from "../parse/parse-directive.ts";
import { renderOperatorPrompt } from "../prompt/render-operator-prompt.ts";
import { checkDirective } from "../recover/check-directive.ts";
import { classifyFailure } from "../recover/classify-failure.ts";
import { expectedOf } from "../recover/expected-of.ts";
import { blockedUntil } from "./blocked-until.ts";
import { findTask } from "./find-task.ts";
import { handOver } from "./hand-over.ts";
import { settleMeddling } from "./plan-meddling.ts";
import { progressFileOf, specName } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

/** Titles of neighbours that a repair operator is told, on each side. */
const neighbours = 3;

/**
 * Have a repair operator choose what is done about a failed task. An answer that is no directive, or one that would
 * repeat what was tried, is told as malformed. What it does to the plan is taken back.
 *
 * @throws {EnvironmentError} `executor-not-started`, `executor-failed`: no reply could be had.
 */
export async function askOperator(
  ports: WholePorts,
  input: EffectInput<"askOperator">,
  signal: AbortSignal,
): Promise<Answer<"askOperator">> {
  const { plan, attempts, clock, spec = "" } = ports;
  const task = await findTask(ports, input.task);
  const attempt = attemptOf(input.key);
  const error = input.escalation.evidence === null ? null : input.escalation.lastError;
  const handed = {
    key: input.key,
    role: "operator",
    task,
    attempt: input.round,
    retries: 0,
    progressFile: progressFileOf(spec, null),
    prompt: () => writePrompt(ports, task, input, error ?? "nothing is recorded"),
  } as const;
  const reply = await handOver(ports, handed, input.limits, signal);
  if ("kind" in reply) return reply;
  const parsed = parseDirective(reply.text);
  if (parsed.kind === "malformed") signal.throwIfAborted();
  attempts.keepUsage(attempt, reply.usage);
  const question = await plan.exclusively(() => settleMeddling(ports, task));
  if (question !== null) return { kind: "malformed", reason: question.reason };
  const { kind, message, until: told } = classifyFailure({ reply, failure: { kind: "task" } }, clock.now());
  if (isServiceKind(kind)) {
    const now = clock.now();
    const until = blockedUntil(kind, told, now, 0);
    // The next round waits for it, or is given to another.
    attempts.availability.block(input.key, until, now);
    // Recorded with the answer: who goes on after a kill knows it, too.
    const hindered = {
      kind: "malformed",
      reason: `the repair operator cannot work (${kind}): ${message}`,
      until,
    } as const;
    return hindered;
  }
  if (parsed.kind === "malformed") return parsed;
  const { directive } = parsed;
  const { id, title, fields } = task;
  const planned = { id, title, do: fields.do };
  const refusal = checkDirective({ directive, task: planned, repairs: input.repairs });
  if (refusal !== null) return { kind: "malformed", reason: refusal };
  attempts.keepDirective(id, directive);
  return { kind: "directed", directive };
}

async function writePrompt(
  ports: WholePorts,
  task: Task,
  { budget, repairs, refusal, escalation, maxEvidence }: EffectInput<"askOperator">,
  actual: string,
): Promise<string> {
  const { plan, attempts, spec = "" } = ports;
  const known = await plan.known();
  const { tasks } = known.plan;
  const at = tasks.findIndex(({ id }) => id === plannedTask(task.id));
  return renderOperatorPrompt({
    task,
    block: blockOf(known, plannedTask(task.id)),
    spec: { name: specName(spec), folder: spec },
    expected: expectedOf(task),
    actual,
    neighbours: {
      before: tasks.slice(Math.max(0, at - neighbours), at),
      after: tasks.slice(at + 1, at + 1 + neighbours),
    },
    phase: task.phase,
    goal: goalOf(known, task.phase),
    escalation,
    maxEvidence,
    budget,
    repairs,
    // The attempt that failed is one of those.
    earlier: await attempts.earlier(attemptKey(task.id, Number.POSITIVE_INFINITY)),
    refusal,
  });
}
