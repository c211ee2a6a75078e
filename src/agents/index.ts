export type { AgentContext, AgentSettings, TokenCounts } from "./agent-executor.ts";
export { type AiSdkCall, type AiSdkResult, type AiSdkStep, aiSdkExecutor } from "./ai-sdk.ts";
export { type ClaudeAgentCall, claudeAgentExecutor } from "./claude-agent.ts";
export { type GraphReport, type GraphUpdate, langgraphNode, type SteppedRun } from "./langgraph-node.ts";
export { type OpenaiAgentsCall, type OpenaiAgentsResult, openaiAgentsExecutor } from "./openai-agents.ts";
export { type ReportTool, reportTool } from "./report-tool.ts";
