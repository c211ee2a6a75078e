import { claudeStream } from "../adapters/presets/output/result-reader.ts";
import { isEvent } from "../adapters/presets/output/stream-event.ts";
import type { Executor } from "../ports/executor.ts";
import { type AgentContext, type AgentSettings, agentExecutor } from "./agent-executor.ts";

/** Arguments of `query` of the Claude Agent SDK. */
export interface ClaudeAgentCall {
  readonly prompt: string;
  readonly options: { readonly cwd: string; readonly abortController: AbortController };
}

/**
 * Create an executor with the Claude Agent SDK (0.2 and 0.3): pass `query` itself, or
 * `({ prompt, options }) => query({ prompt, options: { ...options, permissionMode: "acceptEdits" } })`. Reads messages
 * like those of the command line: with cost, denied actions, and the claim in `structured_output`.
 */
export const claudeAgentExecutor = (
  query: (call: ClaudeAgentCall, context: AgentContext) => AsyncIterable<object>,
  settings: AgentSettings = {},
): Executor =>
  agentExecutor(settings, async ({ delegation, report, signal, tell }) => {
    const abortController = new AbortController();
    const abort = (): void => abortController.abort(signal.reason);
    signal.addEventListener("abort", abort);
    const reader = claudeStream.openReader();
    const watch = claudeStream.openWatch();
    let ended = false;
    try {
      const call = { prompt: delegation.prompt, options: { cwd: delegation.workspace, abortController } };
      for await (const message of query(call, { delegation, report })) {
        if (!isEvent(message)) continue;
        reader.see(message);
        ended ||= message["type"] === "result";
        const progress = watch(message);
        if (progress !== null) tell(progress);
      }
    } catch (error) {
      // An error after the result adds nothing: the result already says what went wrong.
      if (!ended || signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
    const { text, problem, ...rest } = reader.end({ exitCode: 0, stderr: "", now: Date.now() });
    return { ...rest, text: text ?? "", ...(problem !== null && { problem }) };
  });
