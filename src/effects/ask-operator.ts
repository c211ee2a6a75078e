import { goalOf } from "../markdown/document/around-task.ts";
import { blockOf } from "../markdown/document/find-task.ts";
import type { EffectInput } from "../model/effect.ts";
import { attemptKey, isServiceKind } from "../model/reply.ts";
import { plannedTask, type Task } from "../model/task.ts";
import { parseDirective } from "../parse/parse-directive.ts";
import type { Outcome } from "../ports/attempt-record.ts";
import { renderOperatorPrompt } from "../prompt/render-operator-prompt.ts";
import { checkDirective } from "../recover/check-directive.ts";
import { classifyFailure } from "../recover/classify-failure.ts";
import { expectedOf } from "../recover/evidence-of.ts";
import { blockedUntil } from "./blocked-until.ts";
import { dispatch } from "./dispatch.ts";
import { findTask } from "./find-task.ts";
import { progressFileOf, specName } from "./spec-paths.ts";
import { settleEdits } from "./unauthorized-edits.ts";
import type { WholePorts } from "./with-memory.ts";

/** Number of neighbour tasks on each side that a repair operator sees. */
const neighbours = 3;

/**
 * Ask a repair operator what to do about a failed task. An answer without a directive, or with a directive that was
 * already tried, is reported as malformed. Ticks that the operator sets are cleared.
 *
 * @throws {EnvironmentError} `executor-not-started`, `executor-failed`: there was no reply.
 */
export async function askOperator(
  ports: WholePorts,
  input: EffectInput<"askOperator">,
  signal: AbortSignal,
): Promise<Outcome<"askOperator">> {
  const { plan, clock, spec = "" } = ports;
  const task = await findTask(ports, input.task);
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
  const reply = await dispatch(ports, handed, input.limits, signal);
  if ("kind" in reply) return { answer: reply };
  const parsed = parseDirective(reply.text);
  if (parsed.kind === "malformed") signal.throwIfAborted();
  const { usage } = reply;
  const facts = usage === undefined ? {} : { usage };
  const malformed = (reason: string, more: { readonly until?: number | null } = {}): Outcome<"askOperator"> => ({
    answer: { kind: "malformed", reason, ...more },
    facts,
  });
  const question = await plan.exclusively(() => settleEdits(ports, task));
  if (question !== null) return malformed(question.reason);
  const { kind, message, until: told } = classifyFailure({ reply, failure: { kind: "task" } }, clock.now());
  if (isServiceKind(kind)) {
    // The next round waits for this executor or uses another executor.
    const until = blockedUntil(kind, told, clock.now(), 0);
    return malformed(`the repair operator is unavailable (${kind}): ${message}`, { until });
  }
  if (parsed.kind === "malformed") return malformed(parsed.reason);
  const { directive } = parsed;
  const { id, title, fields } = task;
  const planned = { id, title, do: fields.do };
  const refusal = checkDirective({ directive, task: planned, repairs: input.repairs });
  return refusal === null ? { answer: { kind: "directed", directive }, facts } : malformed(refusal);
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
    // An infinite number includes the failed attempt.
    earlier: await attempts.earlier(attemptKey(task.id, Number.POSITIVE_INFINITY)),
    refusal,
  });
}
