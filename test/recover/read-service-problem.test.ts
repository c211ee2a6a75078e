import { describe, expect, it } from "vitest";
import { readServiceProblem } from "../../src/recover/read-service-problem.ts";
import { kindOfMessage, kindOfStatus } from "../../src/recover/service-kind.ts";

const now = Date.parse("2026-11-20T12:00:00Z");

describe("readServiceProblem", () => {
  it("tells the kind, what was said in one line, and when it is over", () => {
    expect(readServiceProblem("429 Too Many Requests:\n  try again in 30s\n", now)).toEqual({
      kind: "rate-limit",
      message: "429 Too Many Requests: try again in 30s",
      until: now + 30_000,
    });
  });

  it("reads no time without a clock", () => {
    expect(readServiceProblem("Too many requests, try again in 30s")).toEqual({
      kind: "rate-limit",
      message: "Too many requests, try again in 30s",
    });
  });

  it("believes a kind that is known", () => {
    expect(readServiceProblem("no", now, "auth")).toEqual({ kind: "auth", message: "no" });
  });

  it("keeps 300 characters of what was said", () => {
    expect(readServiceProblem(`Too many requests ${"x".repeat(10_000)}`)?.message).toHaveLength(300);
  });

  it("looks at the first 4096 characters of a message", () => {
    const said = "Too many requests";
    expect(readServiceProblem(said.padStart(4096))).toEqual({ kind: "rate-limit", message: said });
    expect(readServiceProblem(said.padStart(4097))).toBeNull();
  });

  it("tells nothing from another error", () => {
    expect(readServiceProblem("Maximum turns reached", now)).toBeNull();
  });
});

describe("kindOfMessage", () => {
  it.each([
    ["You've hit your usage limit. Upgrade to Pro or try again at 6:31 AM.", "rate-limit"],
    ["Claude AI usage limit reached|1763661600", "rate-limit"],
    ["5-hour limit reached", "rate-limit"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "rate-limit"],
    ["API Error: Request rejected (429)", "rate-limit"],
    ["Resource has been exhausted: RESOURCE_EXHAUSTED", "rate-limit"],
    ["You have exhausted your capacity on this model.", "rate-limit"],
    ['402 {"detail":"You\'ve reached your weekly standard usage limit (resets in 2 days)"}', "rate-limit"],
    ["unexpected status 401 Unauthorized: Missing bearer", "auth"],
    ["Invalid API key · Fix external API key", "auth"],
    ["Not logged in · Please run /login", "auth"],
    ["OAuth token has expired", "auth"],
    ["Credit balance is too low", "permission"],
    ["403 Forbidden", "permission"],
    ["stream disconnected before completion: error sending request for url (https://api)", "offline"],
    ["getaddrinfo ENOTFOUND api.anthropic.com", "offline"],
    ["unexpected status 503 Service Unavailable", "offline"],
    ["API Error: Repeated 529 Overloaded errors", "rate-limit"],
    ["The model is currently overloaded", "rate-limit"],
    ["Selected model is at capacity. Please try a different model.", "rate-limit"],
    [
      "You exceeded your current quota, please check your plan and billing details. Please retry in 2.5s.",
      "rate-limit",
    ],
    ["429 You exceeded your current quota, please check your plan and billing details.", "permission"],
    ["Quota exceeded. Check your plan and billing details.", "permission"],
    ["Error code: 429 - {'error': {'code': 'insufficient_quota'}}", "permission"],
    ["Not inside a trusted directory and --skip-git-repo-check was not specified.", "permission"],
    ["Failed to authenticate. API Error: 403 Your API key does not have permission", "permission"],
    ["Authentication failed with provider at http://127.0.0.1:8787/v1 (HTTP 403).", "permission"],
    ["Missing environment variable: `PROVIDER_KEY`.", "auth"],
    ["Please set an Auth method in your /home/.gemini/settings.json or specify one of", "auth"],
    ["Connection error.", "offline"],
    ["Unable to connect. Is the computer able to access the url?", "offline"],
    ["failed to lookup address information: Try again", "offline"],
    ["unexpected status 500 Internal Server Error: oops", "offline"],
    ['500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}', "offline"],
    ["Prompt is too long", "context-exhausted"],
    ["Codex ran out of room in the model's context window. Start a new conversation", "context-exhausted"],
    ["Your input exceeds the context window of this model", "context-exhausted"],
  ])("takes %j for %s", (line, kind) => {
    expect(kindOfMessage(line)).toBe(kind);
  });

  it.each([
    "Add a rate limiter to the API",
    "port 4290 is in use",
    "Model not found",
    "error 4011",
    "The page shows: Connection error. Try again",
    "GET /users answers 500",
    "waiting for network idle",
    "Login failed for the second test user",
  ])("takes %j for nothing of the service", (line) => {
    expect(kindOfMessage(line)).toBeNull();
  });
});

describe("kindOfStatus", () => {
  it("knows what an HTTP status of a service says", () => {
    expect([401, 402, 403, 429, 529, 503, 500, 404].map(kindOfStatus)).toEqual([
      "auth",
      "permission",
      "permission",
      "rate-limit",
      "rate-limit",
      "offline",
      "offline",
      null,
    ]);
  });
});
