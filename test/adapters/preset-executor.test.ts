import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { commandExecutor, type PresetExecutorOptions, presetExecutor } from "../../src/adapters/command-executor.ts";
import { findPreset, presets } from "../../src/adapters/presets/presets.ts";
import { outputPaths } from "../../src/adapters/processes/open-output.ts";
import { splitCommand } from "../../src/model/command-line.ts";
import type { Reply } from "../../src/model/reply.ts";
import { claimSchema } from "../../src/parse/claim.ts";
import { parseSignal } from "../../src/parse/parse-signal.ts";
import type { Delegation, Executor } from "../../src/ports/executor.ts";
import { classifyFailure } from "../../src/recover/classify-failure.ts";
import { temporaryFolder, writeScript } from "../support/folder.ts";
import { readSample, saidBy, samplePath } from "./presets/read-sample.ts";

const never = new AbortController().signal;

function delegation(workspace: string): Delegation {
  const files = { workspace, spec: join(workspace, "spec"), progressFile: join(workspace, "spec", ".progress.md") };
  return { key: "1.3#1", role: "executor", taskId: "1.3", attempt: 1, prompt: "Do it\n", ...files };
}

const filesOf = (workspace: string): ReturnType<typeof outputPaths> => outputPaths(join(workspace, "out"), "1.3#1");

const limits = (workspace: string): PresetExecutorOptions => ({
  outputFolder: join(workspace, "out"),
  taskTimeoutMs: 600_000,
  graceMs: 200,
});

async function replyTo(execute: Executor, workspace: string): Promise<Reply> {
  const reply = await execute(delegation(workspace), never, () => {});
  return typeof reply === "string" ? { text: reply } : reply;
}

function installTool(name: string, script: string): string {
  const folder = temporaryFolder();
  const [program] = splitCommand(findPreset(name).command);
  writeScript(folder, program, `printf '%s\\n' "$@" >args; cat >stdin; ${script}`);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"] ?? ""}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

const versions = { claude: "2.1.330", codex: "0.169.0" } as const;

describe("presetExecutor", () => {
  it.each(presets.map(({ name }) => name))(
    "calls %s with the prompt on stdin and finds its final message",
    async (name) => {
      const workspace = temporaryFolder();
      const { command, openReader } = findPreset(name);
      const sample = openReader === undefined ? undefined : samplePath(name);
      installTool(name, sample === undefined ? `printf '%s\\n' '${saidBy(name)}'` : `cat '${sample}'`);
      const reply = await replyTo(presetExecutor(name, limits(workspace)), workspace);
      expect(reply).toMatchObject({ stderr: "", exitCode: 0, ended: "exit" });
      expect(reply.text.trimEnd()).toBe(saidBy(name));
      expect(reply.problem).toBeUndefined();
      expect(classifyFailure({ reply, failure: { kind: "task" } })).toEqual({
        kind: "task",
        until: null,
        message: null,
      });
      expect(readFileSync(join(workspace, "args"), "utf8").trimEnd().split("\n")).toEqual(
        splitCommand(command).slice(1),
      );
      expect(readFileSync(join(workspace, "stdin"), "utf8")).toBe("Do it\n");
    },
  );

  it.each(presets.filter(({ openReader }) => openReader !== undefined).map(({ name }) => name))(
    "has no signal from %s if its turn ended in an error afterwards",
    async (name) => {
      const workspace = temporaryFolder();
      installTool(name, `cat '${samplePath(`${name}-failed`)}'`);
      const reply = await replyTo(presetExecutor(name, limits(workspace)), workspace);
      expect(reply.exitCode).toBe(0);
      expect(parseSignal(reply.text, "executor")).toBeNull();
    },
  );

  it.each(presets.filter(({ openReader }) => openReader !== undefined).map(({ name }) => name))(
    "reports why %s could not work",
    async (name) => {
      const workspace = temporaryFolder();
      const sample = name === "cursor" ? "" : `cat '${samplePath(`${name}-rate-limit`)}';`;
      installTool(name, `${sample} echo 'Error: 429 Too Many Requests' >&2; exit 1`);
      const reply = await replyTo(presetExecutor(name, limits(workspace)), workspace);
      expect(reply.problem?.kind).toBe(name === "cursor" ? undefined : "rate-limit");
      expect(classifyFailure({ reply, failure: { kind: "task" } })).toMatchObject({
        kind: "rate-limit",
        message: expect.stringMatching(/\S/),
      });
    },
  );

  it.each([
    ["claude", "--json-schema", (word: string) => word],
    ["codex", "--output-schema", (word: string) => readFileSync(word, "utf8")],
  ] as const)("asks %s for a structured claim, in roles that claim", async (name, flag, schemaIn) => {
    const workspace = temporaryFolder();
    const stream = join(import.meta.dirname, `../fixtures/claims/${name}-${versions[name]}-claim.ndjson`);
    installTool(name, `cat '${stream}'`);
    const execute = presetExecutor(name, { ...limits(workspace), structuredClaim: true });
    const called = () => readFileSync(join(workspace, "args"), "utf8").trimEnd().split("\n");
    for (const role of ["executor", "verifier"] as const) {
      expect(await execute({ ...delegation(workspace), role }, never)).toMatchObject({ claim: { kind: "complete" } });
      const own = splitCommand(findPreset(name).command).slice(1);
      expect(called()).toEqual([...own, flag, expect.any(String)]);
      expect(JSON.parse(schemaIn(called().at(-1) ?? ""))).toEqual(claimSchema());
    }
    for (const role of ["reviewer", "operator"] as const) {
      await execute({ ...delegation(workspace), role }, never);
      expect(called()).not.toContain(flag);
    }
  });

  it("keeps the stream unchanged, and the message in a separate file", async () => {
    const workspace = temporaryFolder();
    installTool("claude", `cat '${samplePath("claude")}'`);
    await replyTo(presetExecutor("claude", limits(workspace)), workspace);
    const { stdout, message } = filesOf(workspace);
    expect(readFileSync(stdout, "utf8")).toBe(readSample("claude"));
    expect(readFileSync(message, "utf8")).toBe(saidBy("claude"));
  });

  it("accepts another command line in place of the preset's", async () => {
    const workspace = temporaryFolder();
    const command = `cat '${samplePath("codex")}'`;
    const reply = await replyTo(presetExecutor("codex", { ...limits(workspace), command }), workspace);
    expect(reply).toMatchObject({ text: saidBy("codex"), usage: { inputTokens: 300, outputTokens: 100 } });
  });

  it("returns output without a single event unchanged", async () => {
    const workspace = temporaryFolder();
    installTool("copilot", "echo 'Error: no token'; exit 1");
    expect(await replyTo(presetExecutor("copilot", limits(workspace)), workspace)).toEqual({
      text: "Error: no token\n",
      stderr: "",
      exitCode: 1,
      ended: "exit",
    });
    expect(existsSync(filesOf(workspace).message)).toBe(false);
  });

  it("returns the last MiB of a very long message", async () => {
    const workspace = temporaryFolder();
    const script =
      'const text = "é".repeat(1e6) + "\\nTASK_COMPLETE"; console.log(JSON.stringify({ type: "result", result: text }))';
    const file = join(workspace, "long.sample");
    installTool("claude", `'${process.execPath}' -e '${script}' >'${file}'; cat '${file}'`);
    const { text } = await replyTo(presetExecutor("claude", limits(workspace)), workspace);
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024 + 4);
    expect(text).toMatch(/^…é+\nTASK_COMPLETE$/);
  });

  it("removes the message of another program for the same attempt", async () => {
    const workspace = temporaryFolder();
    installTool("claude", `cat '${samplePath("claude")}'`);
    await replyTo(presetExecutor("claude", limits(workspace)), workspace);
    await replyTo(commandExecutor({ ...limits(workspace), command: "echo plain" }), workspace);
    expect(existsSync(filesOf(workspace).message)).toBe(false);
  });

  it("ends a tool that is silent for longer than its limit", async () => {
    const workspace = temporaryFolder();
    installTool("codex", `cat '${samplePath("codex-rate-limit")}'; sleep 30`);
    const reply = await replyTo(presetExecutor("codex", { ...limits(workspace), idleTimeoutMs: 300 }), workspace);
    expect(reply).toMatchObject({ ended: "idle", problem: { kind: "rate-limit" } });
  });

  it("refuses an unknown tool", () => {
    expect(() => presetExecutor("cloud", limits("/"))).toThrow(expect.objectContaining({ code: "preset-unknown" }));
  });
});
