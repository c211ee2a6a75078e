// Tests the adapters of `fixpoint/agents` with two versions of each SDK, and with scripted models.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { aiSdkExecutor, langgraphNode, openaiAgentsExecutor } from "../../dist/doors/agents.js";
import { tryClaudeAgentSdk } from "./claude-sdk.mjs";

const sdks = [
  { packages: ["ai@5.0.277", "zod@4.6.7"], agent: aiAgent },
  { packages: ["ai@6.0.326", "zod@4.6.7"], agent: aiAgent },
  { packages: ["ai@7.0.173", "zod@4.6.7"], agent: aiAgent },
  { packages: ["@openai/agents-core@0.11.8", "zod@4.6.7"], agent: openaiAgent },
  { packages: ["@openai/agents-core@0.20.0", "zod@4.6.7"], agent: openaiAgent },
  { packages: ["@anthropic-ai/claude-agent-sdk@0.2.141", "zod@4.6.7"], all: tryClaudeAgentSdk },
  { packages: ["@anthropic-ai/claude-agent-sdk@0.3.332", "zod@4.6.7"], all: tryClaudeAgentSdk },
  { packages: ["@langchain/langgraph@0.4.10", "@langchain/core@0.3.80", "zod@4.6.7"], graph },
  { packages: ["@langchain/langgraph@1.7.3", "@langchain/core@1.4.0", "zod@4.6.7"], graph },
];

const limit = () => Object.assign(new Error("Rate limit reached"), { status: 429, headers: { "retry-after": "20" } });

const cases = {
  report: async (agent) => {
    const { claim, usage } = await ask(await agent([{ kind: "complete" }, "Bye."]));
    return claim?.kind === "complete" && usage.inputTokens === 20 && usage.outputTokens === 6;
  },
  "no report": async (agent) => (await ask(await agent(["TASK_COMPLETE"]))).claim?.kind === "failed",
  429: async (agent) => {
    const { problem, claim } = await ask(await agent([limit()]));
    return problem?.kind === "rate-limit" && problem.until > Date.now() + 10_000 && claim === undefined;
  },
  "another error": async (agent) =>
    (await ask(await agent([new Error("Task 1.1: FAILED")])).catch(String)) === "Error: Task 1.1: FAILED",
  abort: async (agent) => {
    const stop = AbortSignal.abort(new Error("stopped"));
    return String(await ask(await agent(["Bye."]), stop).catch(String)) === "Error: stopped";
  },
};

const placeOf = (folder, [first]) => join(folder, first.replaceAll(/[^\w.]+/g, "-"));

export function installSdks(folder) {
  for (const { packages } of sdks) install(placeOf(folder, packages), packages);
}

export async function trySdks(folder) {
  const rows = [];
  for (const { packages, agent, graph: tryGraph, all } of sdks) {
    const place = placeOf(folder, packages);
    const load = loaderOf(place);
    const passed = all === undefined ? {} : await all(load, join(place, "cells"));
    if (tryGraph !== undefined) passed.graph = await tryGraph(load).catch(String);
    if (agent !== undefined)
      for (const [name, run] of Object.entries(cases))
        passed[name] = await run((turns) => agent(load, turns)).catch(String);
    rows.push({ name: packages[0], passed });
  }
  return rows;
}

function install(place, packages) {
  if (!existsSync(join(place, "node_modules"))) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "package.json"), '{ "private": true }\n');
    const quiet = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status } = spawnSync("npm", ["install", ...quiet, ...packages], { cwd: place, stdio: "inherit" });
    if (status !== 0) throw new Error(`Cannot install ${packages.join(", ")} into ${place}`);
  }
}

function loaderOf(place) {
  const { resolve } = createRequire(join(place, "package.json"));
  return (name) => import(pathToFileURL(resolve(name)).href);
}

function ask(executor, signal = new AbortController().signal) {
  return executor(
    { key: "1.1#1", role: "executor", taskId: "1.1", attempt: 1, prompt: "Do it", workspace: "/" },
    signal,
    () => {},
  );
}

async function aiAgent(load, turns) {
  const sdk = await load("ai");
  const mocks = await load("ai/test");
  const version = [4, 3, 2].find((each) => mocks[`MockLanguageModelV${each}`] !== undefined);
  const left = [...turns];
  const model = new mocks[`MockLanguageModelV${version}`]({
    doGenerate: async ({ abortSignal }) => {
      abortSignal?.throwIfAborted();
      const turn = left.shift();
      if (turn instanceof Error) throw turn;
      const call = { type: "tool-call", toolCallId: "1", toolName: "report", input: JSON.stringify(turn) };
      const why = typeof turn === "string" ? "stop" : "tool-calls";
      return {
        content: [typeof turn === "string" ? { type: "text", text: turn } : call],
        finishReason: version === 2 ? why : { unified: why, raw: why },
        usage:
          version === 2
            ? { inputTokens: 10, outputTokens: 3, totalTokens: 13 }
            : { inputTokens: { total: 10 }, outputTokens: { total: 3 } },
        warnings: [],
      };
    },
  });
  const stopWhen = (sdk.isStepCount ?? sdk.stepCountIs)(5);
  return aiSdkExecutor(
    (call, { report }) => sdk.generateText({ model, ...call, tools: { report }, stopWhen, maxRetries: 0 }),
    { instructions: "tool" },
  );
}

async function openaiAgent(load, turns) {
  const { Agent, run, setTracingDisabled, tool, Usage } = await load("@openai/agents-core");
  setTracingDisabled(true);
  const left = [...turns];
  const getResponse = async ({ signal }) => {
    signal?.throwIfAborted();
    const turn = left.shift();
    if (turn instanceof Error) throw turn;
    const text = {
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: turn }],
    };
    const call = {
      type: "function_call",
      callId: "1",
      name: "report",
      status: "completed",
      arguments: JSON.stringify(turn),
    };
    return { usage: new Usage({ inputTokens: 10, outputTokens: 3 }), output: [typeof turn === "string" ? text : call] };
  };
  return openaiAgentsExecutor(
    ({ prompt, signal }, { report }) => {
      const { name, description, inputSchema, execute } = report;
      const tools = [tool({ name, description, parameters: inputSchema, execute })];
      return run(new Agent({ name: "agent", model: { getResponse }, tools }), prompt, { signal });
    },
    { instructions: "tool" },
  );
}

async function graph(load) {
  const { Annotation, END, MemorySaver, START, StateGraph } = await load("@langchain/langgraph");
  const open = ["a", "b"];
  const next = async () => (open.length > 0 ? { kind: "work", nonce: open[0] } : { kind: "ended" });
  const report = async (nonce) => {
    open.splice(open.indexOf(nonce), 1);
    return { next: await next() };
  };
  const made = new StateGraph(Annotation.Root({ step: Annotation, reports: Annotation }))
    .addNode("fixpoint", langgraphNode({ next, report }))
    .addNode("agent", async ({ step }) => ({ reports: [{ nonce: step.nonce, report: { claim: "complete" } }] }))
    .addEdge(START, "fixpoint")
    .addConditionalEdges("fixpoint", ({ step }) => (step.kind === "work" ? "agent" : END))
    .addEdge("agent", "fixpoint")
    .compile({ checkpointer: new MemorySaver(), interruptAfter: ["fixpoint", "agent"] });
  const thread = { configurable: { thread_id: "1" } };
  let state = await made.invoke({ reports: [] }, thread);
  while ((await made.getState(thread)).next.length > 0) state = await made.invoke(null, thread);
  return state.step.kind === "ended" && open.length === 0;
}
