import { addUsage, sayAct, tokensOf, toolAct } from "../adapters/presets/output/stream-event.ts";
import type { Usage } from "../model/reply.ts";
import type { Executor } from "../ports/executor.ts";
import { type AgentContext, type AgentSettings, agentExecutor, type TokenCounts, usageOf } from "./agent-executor.ts";

/** Arguments of `generateText`, or of `generate` of an agent. */
export interface AiSdkCall {
  readonly prompt: string;
  readonly abortSignal: AbortSignal;
  /** Reports progress, and notes the usage, which would be lost if a later step fails. */
  readonly onStepFinish: (step: AiSdkStep) => void;
}

/** The part of a step that the executor reads. */
export interface AiSdkStep {
  readonly text: string;
  readonly toolCalls: readonly { readonly toolName: string; readonly input?: unknown }[];
  readonly usage: TokenCounts;
}

/** The part of a result that the executor reads. */
export interface AiSdkResult {
  readonly text: string;
  /** Usage of all steps. */
  readonly totalUsage: TokenCounts;
}

/**
 * Create an executor with the AI SDK, `ai` 5 to 7: `(call, { report }) => generateText({ model, ...call, tools: {
 * report } })`. Set `maxRetries: 0`, so that the run, and not the SDK, waits for an unavailable service.
 */
export const aiSdkExecutor = (
  generate: (call: AiSdkCall, context: AgentContext) => PromiseLike<AiSdkResult>,
  settings: AgentSettings = {},
): Executor =>
  agentExecutor(settings, async ({ delegation, report, signal, tell, noteUsage }) => {
    let used: Usage = {};
    const onStepFinish = ({ text, toolCalls, usage }: AiSdkStep): void => {
      used = addUsage(used, usageOf(usage));
      noteUsage(used);
      for (const { toolName, input } of toolCalls)
        tell({ ...toolAct(toolName, { input }, "input"), ...tokensOf(used) });
      if (toolCalls.length === 0) tell({ ...sayAct(text), ...tokensOf(used) });
    };
    const call = { prompt: delegation.prompt, abortSignal: signal, onStepFinish };
    const { text, totalUsage } = await generate(call, { delegation, report });
    return { text, usage: usageOf(totalUsage) };
  });
