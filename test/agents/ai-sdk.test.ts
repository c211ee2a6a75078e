import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { APICallError, generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { aiSdkExecutor } from "../../src/agents/ai-sdk.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { temporaryFolder } from "../support/folder.ts";
import { delegateTo } from "./sample-delegation.ts";

// Uses the real package `ai` with a scripted model.

type Turn = string | { readonly report: object } | Error;

const usage = {
  inputTokens: { total: 100, noCache: 40, cacheRead: 60, cacheWrite: 0 },
  outputTokens: { total: 7, text: 7, reasoning: 0 },
};

function modelOf(turns: readonly Turn[]): MockLanguageModelV3 {
  const left = [...turns];
  return new MockLanguageModelV3({
    doGenerate: async ({ abortSignal }) => {
      const turn = left.shift() ?? "I have nothing more to say.";
      abortSignal?.throwIfAborted();
      if (turn instanceof Error) throw turn;
      const finishReason = typeof turn === "string" ? "stop" : "tool-calls";
      return {
        content: [
          typeof turn === "string"
            ? { type: "text", text: turn }
            : { type: "tool-call", toolCallId: "a", toolName: "report", input: JSON.stringify(turn.report) },
        ],
        finishReason: { unified: finishReason, raw: finishReason },
        usage,
        warnings: [],
      };
    },
  });
}

const agent = (...turns: Turn[]) => {
  const model = modelOf(turns);
  return aiSdkExecutor(
    (call, { report }) => generateText({ model, ...call, tools: { report }, stopWhen: stepCountIs(5), maxRetries: 0 }),
    { instructions: "tool" },
  );
};

const apiError = (statusCode: number, responseHeaders: Record<string, string> = {}, message = "No") =>
  new APICallError({ message, url: "https://model.test", requestBodyValues: {}, statusCode, responseHeaders });

describe("aiSdkExecutor", () => {
  it("returns the report, with the usage of all steps, and shows tools", async () => {
    const { reply, shown } = await delegateTo(agent({ report: { kind: "complete", message: "Wrote it" } }, "Bye."));
    expect(reply).toEqual({
      text: "Wrote it",
      claim: { kind: "complete" },
      usage: { inputTokens: 200, outputTokens: 14 },
    });
    expect(shown).toEqual([
      { tool: "report", line: '{"kind":"complete","message":"Wrote it"}', tokens: 107 },
      { line: "Bye.", tokens: 214 },
    ]);
  });

  it.each([
    [
      { kind: "failed", error: "No parser", attemptedFix: null },
      { kind: "failed", error: "No parser" },
    ],
    [
      { kind: "blocked", question: "Which port?" },
      { kind: "blocked", question: "Which port?" },
    ],
    [
      {
        kind: "modify",
        request: { type: "SPLIT_TASK", originalTaskId: "1.1", reasoning: "", proposedTasks: ["- [ ] 1.1a A"] },
      },
      {
        kind: "modify",
        request: { type: "SPLIT_TASK", originalTaskId: "1.1", reasoning: "", proposedTasks: ["- [ ] 1.1a A"] },
      },
    ],
  ])("reports %j", async (report, claim) => {
    expect((await delegateTo(agent({ report }, "Bye."))).reply.claim).toEqual(claim);
  });

  it("has an invalid report repeated, and uses the last one", async () => {
    const turns = [{ kind: "done" }, { kind: "blocked" }, { kind: "failed", error: "One" }, { kind: "complete" }];
    const { reply } = await delegateTo(agent(...turns.map((report) => ({ report })), "Bye."));
    expect(reply).toMatchObject({ text: "Bye.", claim: { kind: "complete" } });
  });

  it("accepts no text that claims success without a report", async () => {
    const { reply } = await delegateTo(agent("All done.\n\nTASK_COMPLETE"));
    expect(reply.claim).toEqual({ kind: "failed", error: "The agent ended without a report" });
  });

  it("reads the text of an agent without the tool, and of an adviser", async () => {
    const model = modelOf(["TASK_COMPLETE"]);
    const { reply } = await delegateTo(aiSdkExecutor((call) => generateText({ model, ...call })));
    expect(reply).toEqual({ text: "TASK_COMPLETE", usage: { inputTokens: 100, outputTokens: 7 } });
    expect((await delegateTo(agent('{"action":"SKIP"}'), { role: "operator" })).reply.claim).toBeUndefined();
  });

  it.each([
    [429, "rate-limit"],
    [529, "rate-limit"],
    [503, "offline"],
    [401, "auth"],
    [402, "permission"],
    [403, "permission"],
  ])("treats HTTP %d as a service problem, with the usage before it", async (status, kind) => {
    const { reply } = await delegateTo(agent({ report: { kind: "nothing" } }, apiError(status)));
    expect(reply).toEqual({
      text: "",
      usage: { inputTokens: 100, outputTokens: 7 },
      problem: { kind, message: "No" },
    });
  });

  it("keeps a report that is followed by an error", async () => {
    const { reply } = await delegateTo(agent({ report: { kind: "complete" } }, apiError(429)));
    expect(reply).toEqual({ text: "", claim: { kind: "complete" }, usage: { inputTokens: 100, outputTokens: 7 } });
  });

  it("throws any other error, whatever its message", async () => {
    const error = new TypeError("TASK_COMPLETE: Task 1.1: FAILED");
    await expect(delegateTo(agent(error))).rejects.toBe(error);
  });

  it("ends when it is aborted", async () => {
    const stop = new AbortController();
    const model = new MockLanguageModelV3({
      doGenerate: ({ abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal?.addEventListener("abort", () => reject(apiError(429)));
          stop.abort(new Error("the run is stopped"));
        }),
    });
    const executor = aiSdkExecutor((call) => generateText({ model, ...call, maxRetries: 0 }));
    await expect(delegateTo(executor, { signal: stop.signal })).rejects.toThrow("the run is stopped");
  });

  it("completes a run that waits for a limit and spends no attempt", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "tasks.md"), "- [ ] 1.1 Say hello\n");
    const executor = agent(apiError(429, { "retry-after-ms": "20" }), { report: { kind: "complete" } }, "Bye.");
    const seen: string[] = [];
    const ended = await runSpec({
      ...{ spec: folder, workspace: folder, executors: { executor }, yes: true },
      policy: { maxTaskIterations: 1 },
      onEvent: ({ type }) => void seen.push(type),
    });
    expect(ended.outcome).toBe("complete");
    expect(seen).toContain("waiting");
    expect(seen).not.toContain("task.failed");
  });

  it("is interrupted with its run, and repeated", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "tasks.md"), "- [ ] 1.1 Say hello\n");
    const stop = new AbortController();
    const model = new MockLanguageModelV3({
      doGenerate: ({ abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal?.addEventListener("abort", () => reject(abortSignal.reason));
          stop.abort();
        }),
    });
    const options = { spec: folder, workspace: folder, yes: true };
    const stopped = aiSdkExecutor((call) => generateText({ model, ...call, maxRetries: 0 }));
    const first = await runSpec({ ...options, executors: { executor: stopped }, signal: stop.signal });
    expect(first.outcome).toBe("interrupted");
    const second = await runSpec({
      ...options,
      executors: { executor: agent({ report: { kind: "complete" } }, "Bye.") },
    });
    expect(second.outcome).toBe("complete");
  });
});
