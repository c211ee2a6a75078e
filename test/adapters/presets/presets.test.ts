import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPreset, presets } from "../../../src/adapters/presets/presets.ts";
import { splitCommand } from "../../../src/model/command-line.ts";
import { now, readingIn, readingOf, recordedPath, saidBy } from "./read-sample.ts";

const streaming = presets.filter(({ openReader }) => openReader !== undefined).map(({ name }) => name);

describe("presets", () => {
  it.each([
    ["claude", { inputTokens: 300, outputTokens: 100, costUsd: 0.003012 }],
    ["codex", { inputTokens: 300, outputTokens: 100 }],
    ["gemini", { inputTokens: 450, outputTokens: 150 }],
    ["opencode", { inputTokens: 300, outputTokens: 100, costUsd: 0.002268 }],
    ["amp", { inputTokens: 25_783, outputTokens: 38 }],
    ["cursor", { inputTokens: 7175, outputTokens: 39 }],
    ["qwen", { inputTokens: 300, outputTokens: 100 }],
    ["copilot", {}],
    ["droid", { inputTokens: 300, outputTokens: 100 }],
    ["goose", { inputTokens: 1200, outputTokens: 50 }],
  ])("find the final message of %s and its usage, and no problem in prose", async (tool, usage) => {
    const reading = await readingOf(tool, tool);
    expect(reading).toEqual({ text: expect.any(String), usage, problem: null });
    expect(reading?.text?.trimEnd()).toBe(saidBy(tool));
  });

  it("have a sample of a success for every tool that prints events", () => {
    expect(streaming).toEqual([
      "claude",
      "codex",
      "gemini",
      "opencode",
      "amp",
      "cursor",
      "qwen",
      "copilot",
      "droid",
      "goose",
    ]);
  });

  it.each(
    ["amp", "goose"].flatMap((tool) =>
      ["rate-limit", "auth", "permission", "offline", "context-exhausted"].map((kind) => [tool, kind] as const),
    ),
  )("recognize from the stream of %s that it is %s", async (tool, kind) => {
    const reading = await readingOf(tool, `${tool}-${kind}`, 1);
    expect(reading?.problem).toMatchObject({ kind, message: expect.stringMatching(/\S/) });
  });

  it.each([
    ["gemini", 7200],
    ["amp", 600],
    ["qwen", 45],
    ["droid", 2 * 24 * 60 * 60],
    ["goose", 60],
  ])("report the reset time of %s", async (tool, seconds) => {
    const reading = await readingOf(tool, `${tool}-rate-limit`, 1);
    expect(reading?.problem?.until).toBe(now + seconds * 1000);
  });

  it("report the reset time of a usage limit with a time of day, or a header", async () => {
    const at = new Date(2026, 10, 22, 17, 23).getTime();
    const codex = await readingIn("codex", recordedPath("codex", "usage"), 1, at);
    expect(codex?.problem).toMatchObject({ kind: "rate-limit", until: at + 2 * 60 * 60_000 });
    const resetsAt = 1_795_375_647_000;
    const claude = await readingIn("claude", recordedPath("claude", "usage+oauth"), 1, resetsAt - 7_200_000);
    expect(claude?.problem).toMatchObject({ kind: "rate-limit", until: resetsAt });
  });

  it("report no problem for an error that is not of the service", async () => {
    expect(await readingOf("claude", "claude-turns", 1)).toMatchObject({ text: "", problem: null });
  });

  it("report no problem for a person to solve if a model is missing", async () => {
    expect(await readingOf("codex", "codex-other", 1)).toMatchObject({
      text: "Error: The model `x` does not exist",
      problem: { kind: "permission" },
    });
  });

  it.each([
    ["claude", ""],
    ["codex", "Error: stream closed before response.completed"],
    ["gemini", "Error: Reached max session turns"],
    ["opencode", "Error: The operation was aborted"],
    ["amp", "Error: Too many turns"],
    ["cursor", ""],
    ["qwen", "Error: Reached max session turns"],
    ["copilot", "Error: Execution failed"],
    ["droid", "Error: Execution failed"],
    ["goose", "Error: Execution failed"],
  ])("do not take a claim of %s as its last message if its turn then ended in an error", async (tool, text) => {
    expect(await readingOf(tool, `${tool}-failed`)).toMatchObject({ text, problem: null });
  });

  it("report the problem that broke a stream off, and the last message", async () => {
    expect(await readingOf("claude", "claude-broken-off", 143)).toMatchObject({
      text: "I begin with the tests.",
      usage: {},
      problem: { kind: "rate-limit" },
    });
    expect(await readingOf("gemini", "gemini-broken-off", 143)).toMatchObject({
      text: "Error: [API Error: 429 Too Many Requests]",
      problem: { kind: "rate-limit" },
    });
  });

  it("prefer what copilot reports of every call", async () => {
    expect((await readingOf("copilot", "copilot-usage"))?.usage).toEqual({ inputTokens: 45_000, outputTokens: 184 });
  });

  it("have command lines that can be split, and a reader if the tool streams", () => {
    for (const { name, command, openReader } of presets) {
      expect(splitCommand(command).length).toBeGreaterThan(1);
      expect([name, openReader !== undefined]).toEqual([name, streaming.includes(name)]);
    }
  });
});

describe("the page about executors", () => {
  it("has every preset with its command line", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/executors.md"), "utf8");
    const rows = presets.map(({ name, command }) => `| \`${name}\` | \`${command}\` |`);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});

describe("findPreset", () => {
  it("finds a tool by its name, in any case", () => {
    expect(findPreset(" Claude ").command).toBe("claude -p --output-format stream-json --verbose");
    expect(presets.map(({ name }) => findPreset(name).name)).toEqual(presets.map(({ name }) => name));
  });

  it("lists the known ones", () => {
    expect(() => findPreset("cloud")).toThrow(
      expect.objectContaining({
        code: "preset-unknown",
        message:
          "Cannot use executor `cloud`, expected one of claude, codex, gemini, opencode, amp, cursor, qwen, copilot, droid, goose, aider, crush",
      }),
    );
  });

  it.each([
    ["cluade", "Did you mean claude?"],
    [" GEMINY", "Did you mean gemini?"],
    ["frobnicator", "Give any other program as a command line with --exec"],
  ])("suggests a replacement for %j", (name, hint) => {
    expect(() => findPreset(name)).toThrow(expect.objectContaining({ blame: "input", hint }));
  });
});
