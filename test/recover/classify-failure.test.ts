import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/model/reply.ts";
import { classifyFailure, readStderr } from "../../src/recover/classify-failure.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const kindOf = (reply: Reply): string => classifyFailure({ reply, failure: { kind: "task" } }, now).kind;

const testRun = [
  " FAIL  test/login.test.ts > login > refuses a bad password",
  "AssertionError: expected 200 to be 401 // Object.is equality",
  "HTTP 401 Unauthorized",
  " Test Files  1 failed (3)",
].join("\n");

describe("classifyFailure", () => {
  it.each([
    [{ text: "x", ended: "timeout" }, "timeout"],
    [{ text: "x", ended: "idle" }, "timeout"],
    [{ text: "x", ended: "flood" }, "timeout"],
    [{ text: "x", ended: "signal" }, "crash"],
    [{ text: "x", ended: "spawn" }, "crash"],
    [{ text: " \n", exitCode: 1 }, "crash"],
    [{ text: "", stderr: "\n", exitCode: 1 }, "crash"],
    [{ text: "", stderr: "no tasks", exitCode: 1 }, "task"],
    [{ text: "x", exitCode: 1 }, "task"],
    [{ text: "", exitCode: 0, ended: "exit" }, "task"],
    [{ text: "" }, "task"],
  ] satisfies [Reply, string][])("classifies %j as %s", (reply, kind) => {
    expect(kindOf(reply)).toBe(kind);
  });

  it("keeps the kind of a failure if the executor was not stopped", () => {
    expect(classifyFailure({ reply: { text: "x" }, failure: { kind: "timeout" } })).toEqual({
      kind: "timeout",
      until: null,
      message: null,
    });
  });

  it("trusts a stated problem, however the executor ended", () => {
    const problem = { kind: "rate-limit", message: "Limit reached", until: now + 1 } as const;
    for (const reply of [{ text: "" }, { text: "x", exitCode: 1 }, { text: "", ended: "idle" }] satisfies Reply[]) {
      expect(classifyFailure({ reply: { ...reply, problem }, failure: { kind: "task" } })).toEqual({
        kind: "rate-limit",
        until: now + 1,
        message: "Limit reached",
      });
    }
  });

  it("reads the reset time of a limit on stderr, also from another line", () => {
    const reply = { text: "", exitCode: 1, stderr: "Error: 429 Too Many Requests\nretry-after: 90\n" };
    expect(classifyFailure({ reply, failure: { kind: "task" } }, now)).toEqual({
      kind: "rate-limit",
      until: now + 90_000,
      message: "Error: 429 Too Many Requests",
    });
    expect(classifyFailure({ reply, failure: { kind: "task" } }).until).toBeNull();
  });

  it.each([
    ["Error: 429 Too Many Requests", "rate-limit"],
    ["error: rate limit exceeded, try again in 5m30s", "rate-limit"],
    ['RateLimitError: 429 {"type":"error","error":{"type":"rate_limit_error"}}', "rate-limit"],
    ["openai.RateLimitError: Error code: 429 - {'error': {'code': 'rate_limit_exceeded'}}", "rate-limit"],
    ["openai.RateLimitError: Error code: 429 - {'error': {'code': 'insufficient_quota'}}", "permission"],
    ["Claude AI usage limit reached|1763661600", "rate-limit"],
    ["ERROR: You've hit your usage limit. Try again in 3 days 1 hour.", "rate-limit"],
    ["[API Error: You have exhausted your daily quota on this model.]", "rate-limit"],
    ["Quota exceeded for quota metric 'Requests' and limit 'Requests per day'", "rate-limit"],
    ["request failed: HTTP/1.1 429", "rate-limit"],
    ["Error: You are being rate limited", "rate-limit"],
    ["\u001b[31mError:\u001b[0m too \u001b[1mmany requests\u001b[0m", "rate-limit"],
    ["Error: Not logged in. Please run `agent login`.", "auth"],
    ["Invalid API key · Please run /login", "auth"],
    ["Error: Incorrect API key provided: sk-***.", "auth"],
    ["OPENAI_API_KEY: API key is not set", "auth"],
    ["unexpected status 401 Unauthorized: Missing bearer authentication in header", "auth"],
    ["Request failed with status code 401", "auth"],
    ["AuthenticationError: invalid credentials", "auth"],
    ["Error: Authentication required. Run 'cursor-agent login' first.", "auth"],
    ["OAuth token has expired. Please obtain a new token or refresh your existing token.", "auth"],
    ["Error: 403 Forbidden: your organization has disabled this model", "permission"],
    ["Your credit balance is too low to access the API.", "permission"],
    ["TypeError: fetch failed\n  [cause]: Error: getaddrinfo ENOTFOUND api.anthropic.com", "offline"],
    ["Error: connect ECONNREFUSED 203.0.113.7:443", "offline"],
    ["getaddrinfo EAI_AGAIN api.openai.com", "offline"],
    ["curl: (6) Could not resolve host: api.example.com", "offline"],
    ["dial tcp 203.0.113.7:443: connect: network is unreachable", "offline"],
    ["urllib3: Temporary failure in name resolution", "offline"],
    ["Error: Couldn't connect to the Amp server at http://127.0.0.1:8787.", "offline"],
    ["litellm.APIConnectionError: OllamaException - [Errno 111] Connection refused, http://localhost:11434", "offline"],
    [
      'Post "http://localhost:11434/v1/chat/completions": dial tcp 127.0.0.1:11434: connect: connection refused',
      "offline",
    ],
    ["openai.InternalServerError: Error code: 500", "offline"],
    ["fatal: unable to access 'https://example.com/a.git/': Could not resolve host: example.com", "offline"],
    ["Error: This model's maximum context length is 200000 tokens", "context-exhausted"],
    ["error: context_length_exceeded", "context-exhausted"],
    ["Prompt is too long", "context-exhausted"],
    ["Error: Too many requests\n    at post (/agent/client.js:1:2)\n    at run (/agent/main.js:3:4)\n", "rate-limit"],
    [
      "retry 1: 429 Too Many Requests\nretry 2: 429 Too Many Requests\nfatal error: prompt is too long",
      "context-exhausted",
    ],
  ])("classifies %j on stderr as %s", (stderr, kind) => {
    expect(kindOf({ text: "", stderr, exitCode: 1 })).toBe(kind);
  });

  it.each([
    ["a report of tests", testRun],
    ["a report of tests after output of a tool", `Error: 429 Too Many Requests\n${testRun}`],
    ["an expectation", "  Expected: HTTP 401\n  Received: HTTP 200"],
    ["an assertion", "AssertionError [ERR_ASSERTION]: status 401 !== 200"],
    ["code", "  if (response.status === 401) {\n    throw new Error('Invalid API key');"],
    ["a code frame", "  12 | // 429 Too Many Requests means to wait"],
    ["a difference", "+ HTTP 429 is retried\n- HTTP 429 was not"],
    ["a quote", "> Error: 429 Too Many Requests"],
    ["a test file", "src/login.test.ts: not logged in"],
    ["the summary of a test run", "3 passing\n1 failing\n  1) login: Error: not authenticated"],
    ["work on a limit", "Implementing the rate limit middleware"],
    ["a number", "Listening on 4290, 401 files read"],
    ["a server of the project that fails", "GET http://localhost:3000/users 500 Internal Server Error"],
    ["a request of the project that fails", "AxiosError: Request failed with status code 500"],
    ["a program of the project", "error: Unable to connect. Is the computer able to access the url?"],
    ["a test that fetches", "TypeError: fetch failed"],
    ["a service of the project", "Error: connect ECONNREFUSED 127.0.0.1:5432"],
    ["another service of the project", "psql: could not connect to localhost: ECONNREFUSED"],
    ["a container of the project", "Error: connect ECONNREFUSED 172.18.0.2:5432"],
    ["a name inside of the project", "Error: getaddrinfo ENOTFOUND postgres"],
    ["a name that cannot exist", "Error: getaddrinfo ENOTFOUND nowhere.invalid"],
    ["the registry", "npm error code E401\nnpm error 401 Unauthorized - GET https://npm.example.com/x"],
    ["git", "remote: HTTP 403 Forbidden\nfatal: Authentication failed for 'https://example.com/a.git/'"],
    ["a file", "EACCES: permission denied, open '/etc/hosts'"],
    ["an error long before the end", `Error: 429 Too Many Requests\n${"working\n".repeat(20)}`],
    ["the end of a very long line", `${"x".repeat(2000)} Error: 429 Too Many Requests`],
    ["nothing", ""],
  ])("finds no service problem in %s on stderr", (_, stderr) => {
    expect(kindOf({ text: "x", stderr, exitCode: 1 })).toBe("task");
  });

  it.each([
    ["what the agent wrote", { text: "Error: 429 Too Many Requests", exitCode: 1 }],
    [
      "the stderr of an executor that ended normally",
      { text: "", stderr: "Error: 429 Too Many Requests", exitCode: 0 },
    ],
    ["the stderr of one that claims the task", { text: "TASK_COMPLETE\n", stderr: "HTTP 401", exitCode: 1 }],
    ["the stderr of one that found a fault", { text: "VERIFICATION_FAIL\r\n", stderr: "HTTP 401", exitCode: 1 }],
    ["the stderr of one that states a failure", { text: "**Task 1.3: x FAILED**\n", stderr: "HTTP 401", exitCode: 1 }],
  ] satisfies [string, Reply][])("reports no service problem for %s", (_, reply) => {
    expect(kindOf(reply)).toBe("task");
  });

  it("trusts the stderr of an executor that only mentions signals", () => {
    const text = "The task FAILED, so I do not say TASK_COMPLETE.\nTask 1.3 goes on";
    expect(kindOf({ text, stderr: "HTTP 401", exitCode: 1 })).toBe("auth");
  });

  it.each([
    ["timeout", 143, "rate-limit"],
    ["idle", 143, "rate-limit"],
    // Exit code 0: this executor ends normally after a signal.
    ["idle", 0, "rate-limit"],
    ["flood", 143, "timeout"],
    ["signal", 143, "crash"],
  ] as const)("reads the stderr of an executor that timed out: %s, exit %i", (ended, exitCode, kind) => {
    const stderr = "Retrying in 60s (attempt 1/10): [API Error: 429 Rate limit reached]\nOperation cancelled.";
    expect(kindOf({ text: "I look at it.", stderr, exitCode, ended })).toBe(kind);
    expect(kindOf({ text: "TASK_COMPLETE", stderr, exitCode, ended })).toBe(kind === "crash" ? "crash" : "timeout");
  });

  it("asks a person about an executor that is not executable", () => {
    const denied: Reply = { text: "", stderr: "sh: 1: ./agent.sh: Permission denied", exitCode: 126 };
    expect(classifyFailure({ reply: denied, failure: { kind: "task" } })).toEqual({
      kind: "permission",
      until: null,
      message: "The executor is not executable",
    });
    const refused: Reply = { text: "", stderr: "HTTP 401\n./login: Permission denied", exitCode: 126 };
    expect(kindOf(refused)).toBe("auth");
    expect(kindOf({ text: "", stderr: "sh: 1: ./agent.sh: not a program", exitCode: 126 })).toBe("startup");
    expect(kindOf({ text: "", stderr: "cat: x: Permission denied", exitCode: 1 })).toBe("task");
  });

  it("works without stderr", () => {
    expect(kindOf({ text: "x", exitCode: 126 })).toBe("startup");
  });
});

const limit = "Error: 429 Too Many Requests";
const problem = { kind: "rate-limit", message: limit } as const;

describe("readStderr", () => {
  it("returns the last 20 lines without stack frames and blank lines", () => {
    expect(readStderr(`${limit}\n${"x\n".repeat(19)}`)).toEqual(problem);
    expect(readStderr(`${limit}\n${"x\n".repeat(20)}`)).toBeNull();
    expect(readStderr(`${limit}\n${"    at post (/agent/client.js:1:2)\n".repeat(20)}`)).toEqual(problem);
    expect(readStderr(`${limit}\n${"\r\n \t\n".repeat(20)}`)).toEqual(problem);
  });

  it("reads at most the last 16 KiB", () => {
    expect(readStderr(`${limit}\n${"x".repeat(16_000)}`)).toEqual(problem);
    expect(readStderr(`${limit}\n${"x".repeat(17_000)}`)).toBeNull();
  });

  it("reads a reset time from each of those lines separately", () => {
    const said = `${limit}\nretry-after: 90\nbye`;
    expect(readStderr(said, now)).toEqual({ ...problem, until: now + 90_000 });
    expect(readStderr(said)).toEqual(problem);
  });
});
