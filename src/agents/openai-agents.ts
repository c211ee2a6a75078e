import { eventAt, isEvent, textAt, tokensOf } from "../adapters/presets/output/stream-event.ts";
import type { Executor } from "../ports/executor.ts";
import { type AgentContext, type AgentSettings, agentExecutor, type TokenCounts, usageOf } from "./agent-executor.ts";

/** Arguments of `run` of the OpenAI Agents SDK. */
export interface OpenaiAgentsCall {
  readonly prompt: string;
  readonly signal: AbortSignal;
}

/**
 * The part of a result that the executor reads. With `stream: true` the result is iterated first, to report progress.
 */
export interface OpenaiAgentsResult {
  readonly finalOutput?: unknown;
  readonly state: { readonly usage: TokenCounts };
}

/**
 * Create an executor with the OpenAI Agents SDK, `@openai/agents` 0.11 to 0.20:
 * `({ prompt, signal }) => run(agent, prompt, { signal })`. An attempt that reaches `maxTurns` has failed.
 */
export const openaiAgentsExecutor = (
  run: (call: OpenaiAgentsCall, context: AgentContext) => PromiseLike<OpenaiAgentsResult>,
  settings: AgentSettings = {},
): Executor =>
  agentExecutor(settings, async ({ delegation, report, signal, tell, noteUsage }) => {
    try {
      const result = await run({ prompt: delegation.prompt, signal }, { delegation, report });
      if (isStream(result)) {
        for await (const event of result) {
          const used = tokensOf(usageOf(result.state.usage));
          const item = isEvent(event) ? eventAt(event, "item", "rawItem") : {};
          if (item["type"] === "function_call")
            tell({ tool: textAt(item, "name") ?? "", line: textAt(item, "arguments") ?? "", ...used });
        }
      }
      const { finalOutput = "", state } = result;
      const text = typeof finalOutput === "string" ? finalOutput : JSON.stringify(finalOutput);
      return { text, usage: usageOf(state.usage) };
    } catch (error) {
      const { name, message, state } = error as Partial<Error & OpenaiAgentsResult>;
      const usage = usageOf(state?.usage ?? {});
      noteUsage(usage);
      if (name !== "MaxTurnsExceededError" || report.reported() !== null) throw error;
      return { text: "", claim: { kind: "failed", error: String(message) }, usage };
    }
  });

const isStream = (result: object): result is AsyncIterable<unknown> => Symbol.asyncIterator in result;
