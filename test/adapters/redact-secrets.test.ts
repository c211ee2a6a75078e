import { describe, expect, it } from "vitest";
import { redactSecrets } from "../../src/adapters/redact-secrets.ts";

/** In parts, so that no scanner takes these for real ones. */
const join = (...parts: string[]): string => parts.join("");
const tokens: Readonly<Record<string, string>> = {
  "GitHub's": join("ghp", "_", "a1B2".repeat(9)),
  "GitHub's fine-grained": join("github", "_pat_", "11ABCDEFG0_", "x1".repeat(20)),
  "GitLab's": join("gl", "pat-", "abcdefghij1234567890"),
  "npm's": join("npm", "_", "a1B2".repeat(9)),
  "OpenAI's": join("s", "k-proj-", "a1B2".repeat(9)),
  "Anthropic's": join("s", "k-ant-api03-", "a1B2-_".repeat(9)),
  "Slack's": join("xo", "xb-", "123456789012-abcdefghijkl"),
  "Google's": join("AI", "za", "a1B2_-c3D4".repeat(4)),
  "AWS's": join("AK", "IA", "ABCDEFGHIJ234567"),
  "a JSON web token": join("ey", "JhbGciOiJIUzI1NiJ9", ".", "ey", "JzdWIiOiIxMjM0NTYifQ", ".", "c2lnbmF0dXJlMTIz"),
};

describe("secrets in a text", () => {
  const redact = redactSecrets({});

  it.each(Object.entries(tokens))("are known by their shape: %s", (_, token) => {
    expect(redact(`The key ${token} was refused`)).toBe("The key [redacted] was refused");
    expect(redact(token)).toBe("[redacted]");
  });

  it("are taken out of headers, addresses and key files", () => {
    expect(redact("Authorization: Bearer abcdefghijklmnopqrstuvwxyz")).toBe("Authorization: Bearer [redacted]");
    expect(redact("cannot reach https://user:hunter2@example.com/x")).toBe(
      "cannot reach https://user:[redacted]@example.com/x",
    );
    const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n-----END OPENSSH PRIVATE KEY-----";
    expect(redact(`before\n${key}\nafter`)).toBe("before\n[redacted]\nafter");
  });

  it("are the values of variables with the name of one", () => {
    const known = redactSecrets({
      DEPLOY_TOKEN: "open-sesame-42",
      DB_PASSWORD: "open-sesame-42-and-more",
      EDITOR: "nano-nano-1",
    });
    expect(known("used open-sesame-42-and-more, open-sesame-42 and nano-nano-1")).toBe(
      "used [redacted], [redacted] and nano-nano-1",
    );
  });

  it("are no short values, plain words, nor our own keys", () => {
    const known = redactSecrets({
      A_KEY: "1.1#1",
      API_KEY: "undefined",
      FIXPOINT_KEY: "1.10.1#12",
      B_TOKEN: undefined,
    });
    const text = "1.1#1 undefined 1.10.1#12";
    expect(known(text)).toBe(text);
  });

  it("are nothing that only looks a little like one", () => {
    const text =
      "task-sk-1 sk-short ghp_short see https://example.com:8080/a@b, commit 0123456789abcdef0123456789abcdef01234567 AKIA eyJ.eyJ.x Bearer of news";
    expect(redact(text)).toBe(text);
  });
});
