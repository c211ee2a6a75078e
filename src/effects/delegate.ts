import { blockOf } from "../markdown/document/plan-document.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import { EnvironmentError, FixpointError } from "../model/errors.ts";
import { attemptOf, Reply } from "../model/reply.ts";
import { roleOf } from "../model/task.ts";
import { parseSignal } from "../parse/parse-signal.ts";
import type { Delegation } from "../ports.ts";
import { renderPrompt } from "../prompt/render-prompt.ts";
import { findTask } from "./find-task.ts";
import { specName } from "./spec-name.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Hand one task to its executor and keep the reply. The delegation is recorded before it starts.
 *
 * @throws {EnvironmentError} `executor-not-started`, `executor-failed`: no reply could be had.
 */
export async function delegate(
  ports: WholePorts,
  input: EffectInput<"delegate">,
  signal: AbortSignal,
): Promise<Answer<"delegate">> {
  const { documents, plan, attempts, executors, git, workspace = "", spec = "" } = ports;
  const key = attemptOf(input.key);
  const task = await findTask(ports, input.task);
  const role = roleOf(task);
  const { attempt, retries } = input;
  const denial = await attempts.admit({ key, task: task.id, title: task.title, role, attempt, retries }, input.limits);
  if (denial !== null) return denial;
  const headBefore = (await git?.head()) ?? null;
  const prompt = renderPrompt({
    role,
    task,
    block: blockOf(await plan.known(), task.id),
    spec: { name: specName(spec), folder: spec },
    progress: await documents.progress(),
    earlier: await attempts.earlier(key),
    requireExecutorTick: input.requireExecutorTick,
  });
  const delegation: Delegation = { key, role, taskId: task.id, attempt, prompt, workspace, spec };
  const reply = await execute(() => executors[role](delegation, signal), task.id);
  // What was stopped in the middle is no answer: the attempt is repeated when the run goes on.
  if (parseSignal(reply.text, role) !== "complete") signal.throwIfAborted();
  attempts.keepReply(key, reply, headBefore);
  return { kind: "replied" };
}

async function execute(start: () => Promise<Reply | string>, task: string): Promise<Reply> {
  try {
    const answer = await start();
    const reply = typeof answer === "string" ? { text: answer } : answer;
    const checked = Reply.safeParse(reply);
    if (!checked.success) throw new Error(`its reply is none: ${checked.error.issues[0]?.message}`);
    if (reply.ended !== "spawn") return reply;
    throw new EnvironmentError(`Cannot start the executor for task \`${task}\`: ${reply.text}`, {
      code: "executor-not-started",
    });
  } catch (cause) {
    if (cause instanceof FixpointError) throw cause;
    throw new EnvironmentError(`Cannot have task \`${task}\` executed: ${String(cause)}`, {
      code: "executor-failed",
      hint: "Make the executor work, then run again: the attempt is repeated",
      cause,
    });
  }
}
