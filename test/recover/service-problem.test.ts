import { describe, expect, it } from "vitest";
import {
  isAhead,
  kindOfMessage,
  kindOfStatus,
  readResetTime,
  readServiceProblem,
} from "../../src/recover/service-problem.ts";

const now = Date.parse("2026-11-20T12:00:00Z");

describe("readServiceProblem", () => {
  it("reports the kind, the message in one line, and the end of the problem", () => {
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

  it("trusts a known kind", () => {
    expect(readServiceProblem("no", now, "auth")).toEqual({ kind: "auth", message: "no" });
  });

  it("keeps 300 characters of the message", () => {
    expect(readServiceProblem(`Too many requests ${"x".repeat(10_000)}`)?.message).toHaveLength(300);
  });

  it("reads the first 4096 characters of a message", () => {
    const said = "Too many requests";
    expect(readServiceProblem(said.padStart(4096))).toEqual({ kind: "rate-limit", message: said });
    expect(readServiceProblem(said.padStart(4097))).toBeNull();
  });

  it("recognizes nothing in another error", () => {
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
  ])("classifies %j as %s", (line, kind) => {
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
  ])("finds no service problem in %j", (line) => {
    expect(kindOfMessage(line)).toBeNull();
  });
});

describe("kindOfStatus", () => {
  it("maps an HTTP status of a service", () => {
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

const secondsAhead = (text: string): number | null => {
  const time = readResetTime(text, now);
  return time === null ? null : (time - now) / 1000;
};

describe("readResetTime", () => {
  it.each([
    ["Rate limit reached. Please try again in 5m30s.", 330],
    ["Please try again in 20s. Visit https://example.com", 20],
    ["try again in 1 day 2 hours 30 minutes", 95_400],
    ["Try again in 5 minutes and 3 seconds", 303],
    ["try again in 1h, 2m", 3720],
    ["please wait 30 seconds before the next request", 30],
    ["Quota exceeded. Please retry in 34.07s.", 34.07],
    ["Please try again in 250ms", 0.25],
    ["try again in 250 milliseconds", 0.25],
    ["Your quota will reset after 5h12m", 18_720],
    ["usage limit (resets in 2 days)", 172_800],
    ["resets in about 2 hours", 7200],
    ['{"retryDelay":"34s"}', 34],
    ["retry-after: 120", 120],
    ["Retry-After: 120\r\nx-request-id: 1", 120],
    ['{"retry_after":7}', 7],
    ["retry-after-ms: 1500", 1.5],
    ["retry-after: Fri, 20 Nov 2026 13:00:00 GMT", 3600],
    ["resets at 2026-11-20T18:00:00Z", 21_600],
    ["reset time: 2026-11-20T18:00:00.5Z", 21_600.5],
    ["reset time: 2026-11-20T18:00:00.125Z", 21_600.125],
    ["available at 2026-11-20T19:00:00+01:00", 21_600],
    ["try again at 2026-11-20 18:00 UTC", 21_600],
    ["blocked until 2026-11-20 18:00:00 UTC", 21_600],
    ["blocked until 2026-11-20T18:00:00UTC", 21_600],
    [`{"resets_at":${now / 1000 + 60},"x":1}`, 60],
    [`Claude AI usage limit reached|${now / 1000 + 60}`, 60],
    [`resets_at: ${now / 1000 + 60}`, 60],
    [`x-ratelimit-reset: ${now + 60_000}`, 60],
    ["try again later, or try again in 9s", 9],
    ["session limit · resets 3pm (Europe/Berlin)", 7200],
    ["try again at 14:30 UTC", 9000],
    ["resets in 3h 20m", 12_000],
    ["blocked until tomorrow at 6:31 AM (UTC)", 66_660],
  ])("reads %j", (text, seconds) => {
    expect(secondsAhead(text)).toBe(seconds);
  });

  it.each([
    ["", "nothing"],
    ["try again later", "no time"],
    ["try again later, valid to 2026-11-20T18:00:00Z", "the time of something else"],
    ["retry-after: unknown, date: Fri, 20 Nov 2026 13:00:00 GMT", "the date of something else"],
    [`try again later, request ${now / 1000 + 60}`, "the number of something else"],
    ["retry-after: soon, 30", "another number"],
    ["resets 3pm (Nowhere/City)", "an unknown zone"],
    ["retry after 3 attempts", "a count"],
    ["try again in 5 monkeys", "another unit"],
    ["retry-after: soon", "no number"],
    ["2026-11-20T18:00:00Z ERROR rate limit", "the time of a log line"],
    ["resets at 2026-11-20T11:59:59Z", "the past"],
    ["resets at 2026-99-99T00:00:00Z", "no date"],
    ["resets at 2026-11-20T12:00:00Z", "now"],
    ["try again in 8 days", "too far ahead"],
    ["limit reached|123", "no epoch"],
    ["try again in 0s", "at once"],
  ])("reads nothing from %j: %s", (text) => {
    expect(readResetTime(text, now)).toBeNull();
  });
});

describe("isAhead", () => {
  it("accepts a time of at most seven days ahead", () => {
    const week = 7 * 24 * 60 * 60 * 1000;
    expect([now, now + 1, now + week, now + week + 1].map((time) => isAhead(time, now))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
