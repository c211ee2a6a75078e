// Calls the real Claude Agent SDK with a scripted model service, in a network that has only the loopback.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { claudeAgentExecutor } from "../../dist/doors/agents.js";
import { callServerTool, callTool } from "./model-service/call-tool.mjs";
import { openModelService } from "./model-service/open-model-service.mjs";
import { setUp } from "./setups.mjs";

const seconds = 60;

const cases = {
  report: async (ask) => {
    const { claim, usage, text } = await ask([{ kind: "complete", message: "Made it." }, "Bye."]);
    const isCounted = usage.outputTokens >= 100 && usage.inputTokens === 3 * usage.outputTokens && usage.costUsd > 0;
    return claim?.kind === "complete" && text === "Made it." && isCounted;
  },
  "no report": async (ask) => (await ask(["TASK_COMPLETE"])).claim?.kind === "failed",
  text: async (ask) => {
    const { claim, text, usage } = await ask(["Made it.\n\nTASK_COMPLETE"], { instructions: "text" });
    return claim === undefined && text.includes("TASK_COMPLETE") && usage.inputTokens === 150;
  },
  429: async (ask) => {
    const { problem, claim } = await ask([], { fault: "usage-limit" });
    return problem?.kind === "rate-limit" && claim === undefined;
  },
  401: async (ask) => (await ask([], { fault: "unauthorized" })).problem?.kind === "auth",
  "another error": async (ask) =>
    /ENOENT|not found|exist/.test(await ask([], { pathToClaudeCodeExecutable: "/nowhere/claude" }).catch(String)),
  abort: async (ask) => {
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error("stopped"));
    const reply = ask([{ command: "sleep 600" }], { signal: stop.signal, onProgress });
    return (await reply.catch(String)) === "Error: stopped";
  },
};

export async function tryClaudeAgentSdk(load, folder) {
  const sdk = await load("@anthropic-ai/claude-agent-sdk");
  const passed = {};
  for (const [name, run] of Object.entries(cases))
    passed[name] = await run((turns, how) => ask(sdk, join(folder, name.replace(/\W/g, "-")), turns, how)).catch(
      String,
    );
  return passed;
}

async function ask(sdk, folder, turns, { instructions = "tool", fault, signal, onProgress = () => {}, ...more } = {}) {
  rmSync(folder, { recursive: true, force: true });
  const [home, workspace] = ["home", "workspace"].map((name) => join(folder, name));
  for (const place of [home, workspace]) mkdirSync(place, { recursive: true });
  const left = [...turns];
  const service = await openModelService({ folder: workspace, speak: ({ tools }) => speak(left, tools, workspace) });
  if (fault !== undefined) await fetch(`${service.url}/_fault/${fault}`, { method: "PUT" });
  const env = { PATH: process.env.PATH, HOME: home, ...setUp("claude", { url: service.url }).env };
  const executor = claudeAgentExecutor(
    ({ prompt, options }, { report: { name, description, inputSchema, execute } }) => {
      const answer = async (given) => ({ content: [{ type: "text", text: String(await execute(given)) }] });
      const tools = [sdk.tool(name, description, inputSchema.shape, answer)];
      const mcpServers = { fixpoint: sdk.createSdkMcpServer({ name: "fixpoint", version: "1", tools }) };
      const free = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };
      return sdk.query({ prompt, options: { ...options, ...free, mcpServers, env, ...more } });
    },
    { instructions },
  );
  const delegation = { key: "1.1#1", role: "executor", taskId: "1.1", attempt: 1, prompt: "Do it", workspace };
  try {
    return await executor(delegation, signal ?? AbortSignal.timeout(seconds * 1000), onProgress);
  } finally {
    service.close();
  }
}

function speak(left, tools, folder) {
  if (tools.length === 0) return { text: "A short title" };
  const [turn] = left;
  if (turn === undefined || typeof turn === "string") return { text: left.shift() ?? "Bye." };
  if (turn.command !== undefined)
    return { text: "I run it.", tool: callTool(tools, { kind: "RUN", value: turn.command }, folder) };
  const report = callServerTool(tools, "report", turn);
  if (report !== null) left.shift();
  return {
    text: "I go on.",
    tool: report ?? callServerTool(tools, "ToolSearch", { query: "report", max_results: 20 }),
  };
}
