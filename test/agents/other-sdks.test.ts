import { describe, expect, it } from "vitest";
import { claudeAgentExecutor } from "../../src/agents/claude-agent.ts";
import { langgraphNode } from "../../src/agents/langgraph-node.ts";
import { type OpenaiAgentsResult, openaiAgentsExecutor } from "../../src/agents/openai-agents.ts";
import { InputError } from "../../src/model/errors.ts";
import { delegateTo } from "./sample-delegation.ts";

// Imitates results of the packages; `npm run agents -- --sdk` uses the real packages.

async function* messages(...all: readonly object[]): AsyncGenerator<object> {
  yield* all;
}

const said = (...content: readonly object[]) => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: { id: "m", content, usage: { input_tokens: 5, cache_read_input_tokens: 20, output_tokens: 3 } },
});
const result = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "TASK_COMPLETE",
  total_cost_usd: 0.25,
  usage: { input_tokens: 10, cache_creation_input_tokens: 1, cache_read_input_tokens: 40, output_tokens: 6 },
};

describe("claudeAgentExecutor", () => {
  it("returns the result with its usage and cost, and shows the activity", async () => {
    const call = { type: "tool_use", id: "t", name: "Bash", input: { command: "npm test" } };
    const { reply, shown } = await delegateTo(
      claudeAgentExecutor(({ prompt, options }) => {
        expect({ prompt, cwd: options.cwd }).toEqual({ prompt: "Do it", cwd: "/workspace" });
        return messages({ type: "system", subtype: "init" }, said(call), said({ type: "text", text: "Done" }), result);
      }),
    );
    expect(reply).toEqual({
      text: "TASK_COMPLETE",
      usage: { inputTokens: 51, outputTokens: 6, costUsd: 0.25 },
    });
    expect(shown).toEqual([
      { tool: "Bash", line: "npm test", tokens: 28 },
      { line: "Done", tokens: 28 },
    ]);
  });

  it("returns a structured claim, and denied actions", async () => {
    const structured = { kind: "failed", message: "Not allowed", error: "npm test is denied" };
    const denials = [{ tool_name: "Bash", tool_use_id: "t", tool_input: { command: "npm test" } }];
    const { reply } = await delegateTo(
      claudeAgentExecutor(() => messages({ ...result, structured_output: structured, permission_denials: denials }), {
        instructions: "tool",
      }),
    );
    expect(reply).toMatchObject({
      text: "Not allowed",
      claim: { kind: "failed", error: "npm test is denied" },
      denials: [{ tool: "Bash", act: "npm test" }],
    });
  });

  it("reads a service error in the result, with its reset time", async () => {
    const resetsAt = Math.round(Date.now() / 1000) + 60;
    const { reply } = await delegateTo(
      claudeAgentExecutor(() =>
        messages(
          { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt } },
          { ...said({ type: "text", text: "You've hit your limit" }), error: "rate_limit" },
          { ...result, is_error: true, result: "You've hit your limit", api_error_status: 429 },
        ),
      ),
    );
    expect(reply.problem).toEqual({ kind: "rate-limit", message: "You've hit your limit", until: resetsAt * 1000 });
  });

  it("reads the result of an agent whose process then ends with an error", async () => {
    async function* ends(): AsyncGenerator<object> {
      yield { ...result, is_error: true, result: "Invalid API key", api_error_status: 401 };
      throw new Error("Claude Code process exited with code 1");
    }
    expect((await delegateTo(claudeAgentExecutor(ends))).reply.problem?.kind).toBe("auth");
  });

  it("aborts the agent", async () => {
    const stop = new AbortController();
    const executor = claudeAgentExecutor(async function* ({ options: { abortController } }) {
      yield { type: "system" };
      stop.abort(new Error("stopped"));
      expect(abortController.signal.aborted).toBe(true);
      throw new Error("Claude Code process aborted by user");
    });
    await expect(delegateTo(executor, { signal: stop.signal })).rejects.toThrow("stopped");
  });
});

const state = { usage: { inputTokens: 30, outputTokens: 4 } };

describe("openaiAgentsExecutor", () => {
  it("returns the final output, with the usage of all turns", async () => {
    const outputs: readonly [unknown, string][] = [
      ["TASK_COMPLETE", "TASK_COMPLETE"],
      [{ done: true }, '{"done":true}'],
      [undefined, ""],
    ];
    for (const [finalOutput, text] of outputs) {
      const { reply } = await delegateTo(openaiAgentsExecutor(async () => ({ finalOutput, state })));
      expect(reply).toEqual({ text, usage: state.usage });
    }
  });

  it("shows the tools of a stream", async () => {
    const stream: OpenaiAgentsResult & AsyncIterable<unknown> = {
      ...{ finalOutput: "TASK_COMPLETE", state },
      [Symbol.asyncIterator]: async function* () {
        yield { type: "raw_model_stream_event" };
        yield {
          type: "run_item_stream_event",
          item: { rawItem: { type: "function_call", name: "edit", arguments: '{"path":"a"}' } },
        };
        yield null;
      },
    };
    const { reply, shown } = await delegateTo(openaiAgentsExecutor(async () => stream));
    expect(reply.text).toBe("TASK_COMPLETE");
    expect(shown).toEqual([{ tool: "edit", line: '{"path":"a"}', tokens: 34 }]);
  });

  it("treats the turn limit as a failure of the task, but no other error", async () => {
    const failing = (error: object) => openaiAgentsExecutor(() => Promise.reject(error));
    const spent = Object.assign(new Error("Max turns (10) exceeded"), { name: "MaxTurnsExceededError", state });
    expect((await delegateTo(failing(spent))).reply).toEqual({
      text: "",
      claim: { kind: "failed", error: "Max turns (10) exceeded" },
      usage: state.usage,
    });
    const limit = Object.assign(new Error("429 Rate limit reached, try again in 20s"), { status: 429 });
    expect((await delegateTo(failing(limit))).reply.problem).toMatchObject({ kind: "rate-limit" });
    const defect = new Error("Task 1.1: FAILED");
    await expect(delegateTo(failing(defect))).rejects.toBe(defect);
  });

  it("keeps a report that is followed by the turn limit", async () => {
    const executor = openaiAgentsExecutor(async (_call, { report }) => {
      await report.execute({ kind: "complete" });
      throw Object.assign(new Error("Max turns (10) exceeded"), { name: "MaxTurnsExceededError", state });
    });
    expect((await delegateTo(executor)).reply).toEqual({
      text: "",
      claim: { kind: "complete" },
      usage: state.usage,
    });
  });
});

describe("langgraphNode", () => {
  const refuse = (code: string) => Promise.reject(new InputError("No", { code }));
  const next = async () => ({ kind: "work" });

  it("reports the work of other nodes, then returns the next task", async () => {
    const node = langgraphNode({
      next,
      report: async (nonce: string, report: string) => ({ nonce, report, next: await next() }),
    });
    expect(await node({})).toEqual({ step: { kind: "work" }, taken: [], reports: [] });
    const reports = [
      { nonce: "a", report: "one" },
      { nonce: "b", report: "two" },
    ];
    const { taken } = await node({ reports });
    expect(taken.map(({ nonce, report }) => `${nonce} ${report}`)).toEqual(["a one", "b two"]);
  });

  it("skips a report that was accepted before its checkpoint was written", async () => {
    const reports = [{ nonce: "a", report: "one" }];
    for (const code of ["nonce-used", "nonce-stale"]) {
      const node = langgraphNode({ next, report: () => refuse(code) });
      expect(await node({ reports })).toEqual({ step: { kind: "work" }, taken: [], reports: [] });
    }
    const node = langgraphNode({ next, report: () => refuse("report-malformed") });
    await expect(node({ reports })).rejects.toMatchObject({ code: "report-malformed" });
  });
});
