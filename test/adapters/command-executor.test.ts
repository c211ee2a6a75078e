import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { commandExecutor } from "../../src/adapters/command-executor.ts";
import type { Preset } from "../../src/adapters/presets/preset.ts";
import { outputPaths } from "../../src/adapters/processes/open-output.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { Delegation, WorkProgress } from "../../src/ports/executor.ts";
import { never } from "../support/command-options.ts";
import { temporaryFolder, writeScript } from "../support/folder.ts";
import { livingWith } from "../support/processes.ts";

function delegation(over: Partial<Delegation> = {}): Delegation {
  const workspace = temporaryFolder();
  return {
    key: "1.3#2",
    role: "executor",
    taskId: "1.3",
    attempt: 2,
    prompt: "Do it\n",
    workspace,
    spec: `${workspace}/spec`,
    progressFile: `${workspace}/spec/.progress-1.3.md`,
    ...over,
  };
}

interface Given {
  readonly signal?: AbortSignal;
  readonly outputFolder?: string;
  readonly outputCapBytes?: number;
  readonly taskTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly structuredClaim?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

async function replyOf(script: string, task: Delegation, { signal = never, ...given }: Given = {}): Promise<Reply> {
  const command = `./${writeScript(task.workspace, "agent.sh", script).split("/").at(-1)}`;
  const outputFolder = join(task.workspace, "out");
  const execute = commandExecutor({ command, outputFolder, taskTimeoutMs: 10_000, graceMs: 200, ...given });
  const reply = await execute(task, signal);
  return typeof reply === "string" ? { text: reply } : reply;
}

describe("a running program", () => {
  async function seenOf(script: string, enough: (seen: WorkProgress) => boolean, preset?: Preset) {
    const task = delegation();
    const go = join(task.workspace, "go");
    const seen: WorkProgress[] = [];
    const command = writeScript(
      task.workspace,
      "agent.sh",
      `${script}; until [ -e go ]; do sleep 0.05; done; echo TASK_COMPLETE`,
    );
    const limits = { outputFolder: join(task.workspace, "out"), taskTimeoutMs: 20_000, graceMs: 200 };
    const execute = commandExecutor({ command, ...limits, ...(preset !== undefined && { preset }) });
    const reply = await execute(task, never, (progress) => {
      seen.push(progress);
      if (enough(progress)) writeFileSync(go, "");
    });
    return { seen, reply };
  }

  it("is shown by the end of its output so far", async () => {
    const { seen, reply } = await seenOf("echo begun; printf 'half a li'", ({ line }) => line?.endsWith("li") === true);
    expect(seen.at(0)?.line).toMatch(/^begun\n/);
    expect(reply).toMatchObject({ text: "begun\nhalf a liTASK_COMPLETE\n", ended: "exit" });
  });

  it("is shown by its events, each once, if its preset can read them", async () => {
    const says = (text: string) => `echo '${JSON.stringify({ say: text })}'`;
    const preset: Preset = {
      ...{ name: "own", command: "own", rights: { edit: { why: "", instead: null }, full: { args: [] } } },
      openReader: () => ({ see: () => {}, end: () => ({ text: "", usage: {}, problem: null }) }),
      openWatch: () => (event) => (typeof event["say"] === "string" ? { line: event["say"] } : { tokens: 5 }),
    };
    const script = `${says("one")}; echo noise; echo '{"tokens":5}'; sleep 0.3; ${says("two")}`;
    const { seen } = await seenOf(script, ({ line }) => line === "two", preset);
    expect(seen.filter(({ line }) => line === "two")).toHaveLength(1);
    expect(seen.map(({ tokens }) => tokens)).toContain(5);
  });
});

describe("commandExecutor", () => {
  it("passes the prompt on stdin and returns the output", async () => {
    const task = delegation();
    expect(await replyOf("cat; pwd; echo hm >&2; echo TASK_COMPLETE", task)).toStrictEqual({
      text: `Do it\n${task.workspace}\nTASK_COMPLETE\n`,
      stderr: "hm\n",
      exitCode: 0,
      ended: "exit",
    });
  });

  it("is not asked for a structured claim without a preset that supports it", async () => {
    const task = delegation();
    expect(await replyOf('echo "$#"', task, { structuredClaim: true })).toMatchObject({ text: "0\n", exitCode: 0 });
  });

  it("passes the key and role of the call to the program", async () => {
    const task = delegation({ role: "verifier" });
    const script =
      "printenv FIXPOINT_SPEC FIXPOINT_TASK_ID FIXPOINT_ROLE FIXPOINT_ATTEMPT FIXPOINT_KEY FIXPOINT_PROGRESS_FILE MODEL HOME";
    const { text } = await replyOf(script, task, { env: { MODEL: "m", FIXPOINT_KEY: "not this" } });
    expect(text.trim().split("\n")).toEqual([
      task.spec,
      "1.3",
      "verifier",
      "2",
      "1.3#2",
      `${task.spec}/.progress-1.3.md`,
      "m",
      process.env["HOME"],
    ]);
  });

  it("keeps both streams in files named after the attempt, for the owner only", async () => {
    const task = delegation();
    await replyOf("echo out; echo err >&2", task);
    const { stdout, stderr } = outputPaths(join(task.workspace, "out"), task.key);
    expect([readFileSync(stdout, "utf8"), readFileSync(stderr, "utf8")]).toEqual(["out\n", "err\n"]);
    expect(stdout).toBe(join(task.workspace, "out", "1.3#2.out"));
    expect(statSync(stdout).mode & 0o777).toBe(0o600);
  });

  it("overwrites the output of a repeated attempt", async () => {
    const task = delegation();
    await replyOf("echo a long first answer; echo err >&2", task);
    expect(await replyOf("echo second", task)).toMatchObject({ text: "second\n", stderr: "" });
  });

  it("uses a temporary folder by default", async () => {
    const task = delegation();
    vi.stubEnv("TMPDIR", task.workspace);
    onTestFinished(() => void vi.unstubAllEnvs());
    const execute = commandExecutor({ command: "readlink /proc/self/fd/1", taskTimeoutMs: 10_000 });
    const replies = [await execute(task, never), await execute({ ...task, key: "1.3#3" }, never)];
    const paths = replies.map((reply) => (typeof reply === "string" ? reply : reply.text).trim());
    expect(paths.map((path) => path.split("/").at(-1))).toEqual(["1.3#2.out", "1.3#3.out"]);
    expect(new Set(paths.map(dirname))).toEqual(new Set([expect.stringContaining(`${task.workspace}/fixpoint-`)]));
  });

  it("returns the last MiB of a long message and the last 16 KiB of stderr", async () => {
    const { text, stderr } = await replyOf(
      "yes é | head -n 700000; echo TASK_COMPLETE; yes | head -c 50000 >&2",
      delegation(),
    );
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024 + 4);
    expect(text).toMatch(/^(?:…|é)\n?.*é\nTASK_COMPLETE\n$/s);
    expect(stderr).toHaveLength(16 * 1024);
  });

  it("returns binary output as text", async () => {
    expect(await replyOf("printf 'a\\000b\\377c\\033[0m\\r\\n'", delegation())).toMatchObject({
      text: "a\0b\uFFFDc\u001B[0m\r\n",
    });
  });

  it.for([
    ["exit 1", 1, "exit"],
    ["kill -SEGV $$", 139, "signal"],
    ["kill -KILL $$", 137, "signal"],
  ] as const)("reports how `%s` ended", async ([script, exitCode, ended]) => {
    expect(await replyOf(script, delegation())).toMatchObject({ text: "", exitCode, ended });
  });

  it("keeps the output before a limit", async () => {
    const mark = `60.${process.pid}`;
    const hang = `echo begun; setsid sleep ${mark} & sleep ${mark}`;
    expect(await replyOf(hang, delegation(), { taskTimeoutMs: 200 })).toMatchObject({
      text: "begun\n",
      exitCode: 143,
      ended: "timeout",
      limit: 200,
    });
    expect(await replyOf(hang, delegation(), { idleTimeoutMs: 200 })).toMatchObject({
      text: "begun\n",
      exitCode: 143,
      ended: "idle",
      limit: 200,
    });
    expect(await replyOf("yes", delegation(), { outputCapBytes: 1000 })).toMatchObject({ ended: "flood", limit: 1000 });
    expect(await replyOf(hang, delegation(), { signal: AbortSignal.timeout(100) })).toMatchObject({
      exitCode: 143,
      ended: "signal",
    });
    expect(livingWith(mark)).toEqual([]);
  });

  it("returns exit code 128, ended by a signal, if it was aborted before the start", async () => {
    const reply = await replyOf("echo begun", delegation(), { signal: AbortSignal.abort() });
    expect(reply).toStrictEqual({ text: "", stderr: "", exitCode: 128, ended: "signal" });
  });

  it("leaves no descriptor open", async () => {
    const task = delegation();
    await replyOf("echo x", task);
    const before = readdirSync("/proc/self/fd").length;
    await replyOf("echo x", task);
    expect(readdirSync("/proc/self/fd")).toHaveLength(before);
  });

  it("does not begin if the message of an earlier attempt cannot be removed", async () => {
    const task = delegation();
    const { message } = outputPaths(join(task.workspace, "out"), task.key);
    mkdirSync(message, { recursive: true });
    await expect(replyOf("touch begun", task)).rejects.toMatchObject({
      code: "file-refused",
      message: expect.stringContaining(`Cannot remove \`${message}\``),
    });
    expect(existsSync(join(task.workspace, "begun"))).toBe(false);
  });

  it("reports a missing program when it starts", async () => {
    const task = delegation();
    const execute = commandExecutor({ command: "./missing.sh", taskTimeoutMs: 1000 });
    await expect(execute(task, never)).rejects.toThrow(expect.objectContaining({ code: "command-not-started" }));
  });

  it("refuses an unreadable command line at once", () => {
    expect(() => commandExecutor({ command: "agent 'x", taskTimeoutMs: 1 })).toThrow(
      expect.objectContaining({ code: "command-unreadable" }),
    );
  });

  it("does not write through a symbolic link, or without a folder", async () => {
    const task = delegation();
    const target = join(task.workspace, "target");
    await replyOf("echo x", task);
    symlinkSync(target, outputPaths(join(task.workspace, "out"), "1.3#3").stdout);
    const refused = expect.objectContaining({ code: "output-not-opened", blame: "environment" });
    await expect(replyOf("echo x", { ...task, key: "1.3#3" })).rejects.toThrow(refused);
    expect(existsSync(target)).toBe(false);
    writeFileSync(target, "");
    await expect(replyOf("echo x", task, { outputFolder: join(target, "out") })).rejects.toThrow(refused);
  });
});
