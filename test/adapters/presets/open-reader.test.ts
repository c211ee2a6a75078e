import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../../../src/adapters/presets/output/stream-event.ts";
import type { StreamReading } from "../../../src/adapters/presets/preset.ts";
import { findPreset } from "../../../src/adapters/presets/presets.ts";

const now = new Date(2026, 10, 20, 12, 0).getTime();

function read(tool: string, ...events: readonly StreamEvent[]): StreamReading | undefined {
  const reader = findPreset(tool).openReader?.();
  for (const event of events) reader?.see(event);
  return reader?.end({ exitCode: 1, stderr: "", now });
}

const limited = "429 Too Many Requests";
const says = (text: string, more: object = {}): StreamEvent => ({
  type: "assistant",
  message: { content: [{ type: "text", text }] },
  ...more,
});

describe("the reader of claude", () => {
  const retry = { type: "system", subtype: "api_retry", error: "rate_limit", error_status: 429 };
  const rejected = (resetsAt?: number): StreamEvent => ({
    type: "rate_limit_event",
    rate_limit_info: { status: "rejected", resetsAt },
  });

  it("does not read a sub-agent's message as the last one", () => {
    expect(read("claude", says("mine"), says("its", { parent_tool_use_id: "t1" }))?.text).toBe("mine");
  });

  it("takes the result as the final message, not earlier text", () => {
    expect(read("claude", says("before"), { type: "result", result: "at the end" }, says("behind"))?.text).toBe(
      "at the end",
    );
  });

  it.each([
    ["a message", says("On we go")],
    ["the result of a tool", { type: "user" }],
    ["a good end", { type: "result", subtype: "success", is_error: false, result: "Done" }],
  ])("forgets a problem that %s shows to be over", (_, event) => {
    expect(read("claude", retry, event)?.problem).toBeNull();
    expect(read("claude", retry)?.problem).toMatchObject({ kind: "rate-limit", message: "rate_limit" });
  });

  it("reports a limit that broke the stream off, and its reset time", () => {
    expect(read("claude", rejected(now / 1000 + 60))?.problem).toEqual({
      kind: "rate-limit",
      message: "The service gave no reason",
      until: now + 60_000,
    });
    expect(read("claude", rejected(now / 1000 - 60))?.problem).not.toHaveProperty("until");
    expect(read("claude", rejected())?.problem).not.toHaveProperty("until");
  });

  it("gives no reset time to another problem", () => {
    const failed = { type: "result", is_error: true, result: "Prompt is too long" };
    expect(read("claude", rejected(now / 1000 + 60), says("x"), failed)?.problem).toEqual({
      kind: "context-exhausted",
      message: "Prompt is too long",
    });
  });

  it("uses the status if there is nothing else", () => {
    expect(read("claude", { type: "result", is_error: true, api_error_status: 401 })?.problem).toEqual({
      kind: "auth",
      message: "HTTP status 401",
    });
    expect(read("claude", { type: "result", is_error: true, result: "No", api_error_status: 503 })?.problem).toEqual({
      kind: "offline",
      message: "No",
    });
  });

  it("finds no problem in a failed result without details", () => {
    expect(read("claude", { type: "result", subtype: "error_during_execution" })).toEqual({
      text: "",
      usage: {},
      problem: null,
    });
  });
});

describe("a turn that ends in an error", () => {
  const claim = { type: "item.completed", item: { type: "agent_message", text: "TASK_COMPLETE" } };

  it("joins an error of several lines into one, so that no line of it is a signal", () => {
    const failed = { type: "turn.failed", error: { message: "No\nTASK_COMPLETE\n" } };
    expect(read("codex", failed)?.text).toBe("Error: No TASK_COMPLETE");
    expect(read("claude", { type: "result", is_error: true, result: "TASK_COMPLETE" })?.text).toBe(
      "Error: TASK_COMPLETE",
    );
    const end = { type: "completion", isError: true, finalText: "TASK_COMPLETE" };
    expect(read("droid", end)?.text).toBe("Error: TASK_COMPLETE");
  });

  it("has failed even without a reason", () => {
    expect(read("codex", claim, { type: "turn.failed" })?.text).toBe("");
    expect(read("codex", claim, { type: "error" })?.text).toBe("");
    expect(read("goose", { type: "error" })?.text).toBe("");
    const said = { type: "message", role: "assistant", text: "TASK_COMPLETE" };
    expect(read("droid", said, { type: "completion", isError: true })?.text).toBe("");
    expect(read("gemini", { type: "result", status: "error" })?.text).toBe("");
  });

  it("is superseded by a later successful turn", () => {
    const failed = { type: "turn.failed", error: { message: "No" } };
    expect(read("codex", failed, claim)?.text).toBe("TASK_COMPLETE");
    expect(read("codex", claim, failed, { type: "turn.completed" })?.text).toBe("TASK_COMPLETE");
  });

  it("does not include text before the error", () => {
    const gemini = (content: string): StreamEvent => ({ type: "message", role: "assistant", content, delta: true });
    const error = { type: "error", severity: "error", message: "x" };
    expect(read("gemini", gemini("a"), error, gemini("b"))?.text).toBe("b");
    expect(read("gemini", gemini("a"), error, { type: "result", status: "success" })?.text).toBe("Error: x");
    const opencode = (text: string): StreamEvent => ({ type: "text", part: { text } });
    expect(read("opencode", opencode("a"), { type: "error", error: {} }, opencode("b"))?.text).toBe("b\n");
    const goose = (text: string): StreamEvent => ({
      type: "message",
      message: { role: "assistant", id: "1", content: [{ type: "text", text }] },
    });
    expect(read("goose", goose("a"), { type: "error", error: "x" }, goose("b"))).toMatchObject({
      text: "b",
      problem: null,
    });
  });
});

describe("the reader of codex", () => {
  const failed = { type: "error", message: limited };
  const message = { type: "item.completed", item: { type: "agent_message", text: "On we go" } };

  it("forgets an error after which the agent spoke, or the turn was completed", () => {
    expect(read("codex", failed)?.problem?.kind).toBe("rate-limit");
    expect(read("codex", failed, message)?.problem).toBeNull();
    expect(read("codex", failed, { type: "turn.completed", usage: {} })?.problem).toBeNull();
  });

  it("reads a time of day in the local time zone", () => {
    const error = { message: "You've hit your usage limit. Try again later or try again at 1:30 PM." };
    expect(read("codex", { type: "turn.failed", error })?.problem?.until).toBe(now + 90 * 60_000);
  });

  it("adds up the turns", () => {
    const turn = (tokens: number): StreamEvent => ({
      type: "turn.completed",
      usage: { input_tokens: tokens, output_tokens: 1 },
    });
    expect(read("codex", turn(10), turn(20))?.usage).toEqual({ inputTokens: 30, outputTokens: 2 });
  });
});

describe("the reader of gemini", () => {
  const said = (content: string, delta?: boolean): StreamEvent => ({
    type: "message",
    role: "assistant",
    content,
    delta,
  });

  it("begins another message after a tool, a person and a complete message", () => {
    for (const between of [
      { type: "tool_use" },
      { type: "tool_result" },
      { type: "message", role: "user", content: "x" },
    ]) {
      expect(read("gemini", said("a", true), between, said("b", true), said("c", true))?.text).toBe("bc");
    }
    expect(read("gemini", said("a", true), said("b"))?.text).toBe("b");
  });

  it("ignores a warning, and returns the error reported before it", () => {
    const warning = { type: "error", severity: "warning", message: limited };
    const error = { type: "error", severity: "error", message: limited };
    expect(read("gemini", warning, { type: "result", status: "error" })?.problem).toBeNull();
    expect(read("gemini", error, { type: "result", status: "error" })?.problem?.message).toBe(limited);
    expect(read("gemini", error, { type: "result", status: "success" })?.problem).toBeNull();
  });
});

describe("the reader of opencode", () => {
  const text = (part: string): StreamEvent => ({ type: "text", part: { text: part } });

  it("joins the texts of a step, and begins another message after a tool", () => {
    expect(read("opencode", text("a"), { type: "step_start" }, text("b"), text("c"))?.text).toBe("b\nc\n");
    expect(read("opencode", text("a"), { type: "tool_use" }, text("b"))?.text).toBe("b\n");
  });

  it("forgets an error after which the agent spoke", () => {
    expect(read("opencode", { type: "error", error: { message: limited } })?.problem?.kind).toBe("rate-limit");
    expect(read("opencode", { type: "error", error: { message: limited } }, text("a"))?.problem).toBeNull();
  });
});

describe("the reader of copilot", () => {
  const said = (content: string, more: object = {}): StreamEvent => ({
    type: "assistant.message",
    data: { content, ...more },
  });

  it("reads neither a sub-agent's message nor one without text as the last one", () => {
    expect(read("copilot", said("mine"), said("its", { parentToolCallId: "c1" }), said(""))?.text).toBe("mine");
  });

  it("forgets an error after which the agent spoke", () => {
    const error = { type: "session.error", data: { message: "x", statusCode: 429 } };
    expect(read("copilot", error)?.problem).toEqual({ kind: "rate-limit", message: "x" });
    expect(read("copilot", error, said("On we go"))?.problem).toBeNull();
  });
});

describe("the reader of droid", () => {
  const error = (source: string, message: string): StreamEvent => ({ type: "error", source, message });

  it("prefers what the agent reports to what its command line reports", () => {
    expect(read("droid", error("agent_loop", limited), error("cli", "Exec failed"))?.problem?.message).toBe(limited);
    expect(read("droid", error("cli", limited))?.problem?.message).toBe(limited);
  });

  it("forgets an error after which the agent spoke or ended", () => {
    const said = { type: "message", role: "assistant", text: "On we go" };
    expect(read("droid", error("agent_loop", limited), said)).toMatchObject({ text: "On we go", problem: null });
    expect(read("droid", error("agent_loop", limited), { type: "completion" })?.problem).toBeNull();
    expect(read("droid", error("agent_loop", limited), { type: "completion", isError: true })?.problem).not.toBeNull();
  });
});

describe("the reader of goose", () => {
  const said = (role: string, id: string | null, text: string): StreamEvent => ({
    type: "message",
    message: { role, id, content: [{ type: "text", text }] },
  });

  it("joins the pieces of one message, and begins another with another id or after a tool", () => {
    expect(read("goose", said("assistant", "1", "a"), said("assistant", "1", "b"))?.text).toBe("ab");
    expect(read("goose", said("assistant", "1", "a"), said("assistant", "2", "b"))?.text).toBe("b");
    expect(
      read("goose", said("assistant", null, "a"), said("user", null, "x"), said("assistant", null, "b"))?.text,
    ).toBe("b");
  });
});

describe("an error named like a property of every object", () => {
  it.each([
    ["claude", says("oops", { error: "constructor" })],
    ["copilot", { type: "session.error", data: { errorType: "toString", message: "oops" } }],
    ["opencode", { type: "error", error: { name: "__proto__", message: "oops" } }],
  ])("is no service problem of %s", (tool, event) => {
    expect(read(tool, event)?.problem).toBeNull();
  });
});
