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
 * An executor by the Claude Agent SDK (0.2 and 0.3): `query` itself, or
 * `({ prompt, options }) => query({ prompt, options: { ...options, permissionMode: "acceptEdits" } })`. Its messages are
 * read as those of the command line are: with cost, denied acts, and the claim in `structured_output`.
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
      // The result says why the process that has written it ends with an error.
      if (!ended || signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
    const { text, problem, ...rest } = reader.end({ exitCode: 0, stderr: "", now: Date.now() });
    return { ...rest, text: text ?? "", ...(problem !== null && { problem }) };
  });
