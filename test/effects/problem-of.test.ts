import { describe, expect, it } from "vitest";
import { problemOf } from "../../src/effects/problem-of.ts";

const now = Date.parse("2026-11-20T12:00:00Z");

/** Error classes of SDKs do not set `name`. */
class APIError extends Error {
  readonly status: number | undefined;
  readonly error: unknown;
  readonly headers: unknown;
  constructor(
    status: number | undefined,
    error: unknown,
    message: string,
    headers: unknown = undefined,
    options: ErrorOptions = {},
  ) {
    super(message, options);
    Object.assign(this, { status, error, headers });
  }
}
class RateLimitError extends APIError {
  readonly code = (this.error as { code?: string } | undefined)?.code;
}
class AuthenticationError extends APIError {}
class APIConnectionError extends APIError {}
class InternalServerError extends APIError {}
class BadRequestError extends APIError {}

const aiError = (name: string, more: object): Error => Object.assign(new Error("Failed"), { name, ...more });

const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:11434"), { code: "ECONNREFUSED" });
const fetchFailed = new TypeError("fetch failed", { cause: refused });

describe("problemOf", () => {
  it.each([
    ["429", new RateLimitError(429, {}, "429 slow down"), "rate-limit"],
    [
      "no credit left",
      new RateLimitError(
        429,
        { code: "insufficient_quota" },
        "429 You exceeded your current quota, please check your plan and billing details.",
      ),
      "permission",
    ],
    ["a wrong key", new AuthenticationError(401, {}, "401 invalid x-api-key"), "auth"],
    ["403", new APIError(403, {}, "403 no"), "permission"],
    ["500", new InternalServerError(500, {}, "500 oops"), "offline"],
    ["529", new APIError(529, { type: "error", error: { type: "overloaded_error" } }, "529 busy"), "rate-limit"],
    [
      "no connection",
      new APIConnectionError(undefined, undefined, "Connection error.", {}, { cause: fetchFailed }),
      "offline",
    ],
    [
      "a long prompt",
      new BadRequestError(400, { type: "error" }, "400 prompt is too long: 210000 tokens > 200000 maximum"),
      "context-exhausted",
    ],
    [
      "a long prompt by its code",
      new BadRequestError(400, { code: "context_length_exceeded" }, "400 no"),
      "context-exhausted",
    ],
    ["fetch", fetchFailed, "offline"],
    ["fetch in a browser", new TypeError("Failed to fetch"), "offline"],
    ["a call of the AI SDK", aiError("AI_APICallError", { statusCode: 429 }), "rate-limit"],
    [
      "attempts of the AI SDK",
      aiError("AI_RetryError", {
        lastError: aiError("AI_APICallError", { statusCode: 503 }),
        reason: "maxRetriesExceeded",
      }),
      "offline",
    ],
    ["no key for the AI SDK", aiError("AI_LoadAPIKeyError", {}), "auth"],
    ["something with a status", { status: 402 }, "permission"],
    [
      "a long prompt, whatever the status",
      new RateLimitError(429, {}, "429 prompt is too long: 210000 tokens > 200000 maximum"),
      "context-exhausted",
    ],
    [
      "no credit left, whatever the class",
      new RateLimitError(429, {}, "429 Your credit balance is too low"),
      "permission",
    ],
    [
      "a denied request, by a code after a class",
      Object.assign(new RateLimitError(429, {}, "429 no"), { type: "permission_error" }),
      "permission",
    ],
    [
      "no credit left by a type after another code",
      Object.assign(new Error("no"), { code: "rate_limit_exceeded", type: "insufficient_quota" }),
      "permission",
    ],
    ["a class by its type", { type: "overloaded_error" }, "rate-limit"],
    ["a name that is not a text", { name: 7, statusCode: 503 }, "offline"],
    ["a status that is a number among others", { status: "429", statusCode: 429 }, "rate-limit"],
  ])("recognizes %s", (_, error, kind) => {
    expect(problemOf(error, now)).toMatchObject({ kind, message: expect.stringMatching(/\S/) });
  });

  it.each([
    ["retry-after in seconds", new Headers({ "retry-after": "90" }), 90_000],
    ["retry-after in milliseconds", { "retry-after-ms": "1500", "retry-after": "90" }, 1500],
    ["retry-after as a date", new Headers({ "retry-after": "Fri, 20 Nov 2026 12:05:00 GMT" }), 300_000],
  ])("reads the reset time from %s", (_, headers, ms) => {
    expect(problemOf(new RateLimitError(429, {}, "429 slow down", headers), now)).toEqual({
      kind: "rate-limit",
      message: "429 slow down",
      until: now + ms,
    });
  });

  it("reads headers of the AI SDK and of a response, and times in a message", () => {
    const responseHeaders = { "retry-after": "60" };
    expect(problemOf(aiError("AI_APICallError", { statusCode: 429, responseHeaders }), now)?.until).toBe(now + 60_000);
    const response = { headers: new Headers({ "retry-after": "5" }) };
    expect(problemOf(Object.assign(new Error("no"), { status: 503, response }), now)?.until).toBe(now + 5000);
    expect(problemOf(new RateLimitError(429, {}, "429 try again in 30s"), now)?.until).toBe(now + 30_000);
    expect(problemOf({ status: 429, headers: { "retry-after": "-1" } }, now)).not.toHaveProperty("until");
    expect(problemOf({ status: 429, headers: { "retry-after": 90 } }, now)?.until).toBe(now + 90_000);
    expect(problemOf({ status: 429, headers: null, responseHeaders }, now)?.until).toBe(now + 60_000);
    expect(
      problemOf({ status: 429, headers: { "retry-after-ms": "-5", "retry-after": "60" } }, now),
    ).not.toHaveProperty("until");
    const headers = { "retry-after": true };
    expect(problemOf({ status: 429, headers, cause: { headers: { "retry-after": "7" } } }, now)?.until).toBe(
      now + 7000,
    );
    expect(problemOf({ status: 429 })).toEqual({ kind: "rate-limit", message: "The service gave no reason" });
  });

  it("returns the message of the error that determines the kind", () => {
    expect(problemOf(new Error("The agent failed", { cause: new RateLimitError(429, {}, "slow down") }), now)).toEqual({
      kind: "rate-limit",
      message: "slow down",
    });
  });

  it("returns the most specific kind, with a message of an error of that kind", () => {
    const chain = new Error("The agent failed", {
      cause: new RateLimitError(429, {}, "slow down", undefined, {
        cause: Object.assign(new AuthenticationError(401, {}, ""), {
          cause: new AuthenticationError(401, {}, "wrong key"),
        }),
      }),
    });
    expect(problemOf(chain, now)).toEqual({ kind: "auth", message: "wrong key" });
  });

  it("reads at most eight nested errors", () => {
    const behind = (count: number): Error => {
      const last: Error = new RateLimitError(429, {}, "slow down");
      return Array.from({ length: count }).reduce<Error>((cause) => new Error("outer", { cause }), last);
    };
    expect(problemOf(behind(7), now)).toMatchObject({ kind: "rate-limit" });
    expect(problemOf(behind(8), now)).toBeNull();
  });

  it.each([
    ["a defect", new TypeError("x is not a function")],
    ["a request that is wrong", new BadRequestError(400, {}, "400 messages: field required")],
    ["a missing file", Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" })],
    ["a text", "429"],
    ["nothing", undefined],
    ["an object without a prototype", Object.create(null)],
  ])("finds no service problem in %s", (_, error) => {
    expect(problemOf(error, now)).toBeNull();
  });

  it("terminates with cyclic causes", () => {
    const one = new Error("one");
    one.cause = new Error("two", { cause: one });
    expect(problemOf(one, now)).toBeNull();
  });
});
