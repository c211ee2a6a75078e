import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { commandExecutor } from "../../src/adapters/command-executor.ts";
import { findPreset } from "../../src/adapters/presets/presets.ts";
import { FixpointError } from "../../src/model/errors.ts";
import type { Reply } from "../../src/model/reply.ts";
import { livingWith } from "../support/processes.ts";
import { type Measurement, type Scenario, violations } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";

/**
 * Measures a scenario in a process of its own and prints JSON. Without arguments, prints the requirements.
 *
 * Usage: node measure.mjs [<name> <bytes of a flood>]
 */
const [, , name, size] = process.argv;
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
if (name === undefined) print(scenarios.map(({ name, program, crowded }) => ({ name, program, crowded })));
else {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`Cannot measure \`${name}\`, expected the name of a scenario`);
  const { text, stderr, ...seen } = await measure(scenario, Number(size));
  print({ ...seen, violations: violations(scenario, { ...seen, text, stderr }, Number(size)) });
}

async function measure(scenario: Scenario, sizeBytes: number): Promise<Measurement> {
  const workspace = mkdtempSync(join(tmpdir(), "fixpoint-fault-"));
  const output = join(workspace, "out");
  try {
    await call({ name: "warm up", script: "cat", expected: {} }, workspace, output, "60.1", 0);
    const mark = `60.${String(process.pid).padStart(8, "0")}${Math.trunc(Math.random() * 1e6)}`;
    if (scenario.crowded === true) execFileSync("prlimit", ["--pid", String(process.pid), "--nproc=1:1"]);
    const before = { memory: process.memoryUsage().rss, descriptors: countDescriptors() };
    const started = performance.now();
    let writtenBytes = 0;
    const look = setInterval(() => {
      writtenBytes = Math.max(writtenBytes, sizeOf(output));
    }, 50);
    const { reply, error } = await call(scenario, workspace, output, mark, sizeBytes);
    clearInterval(look);
    const ms = Math.round(performance.now() - started);
    const peakBytes = peakMemory();
    return {
      error,
      ended: reply.ended ?? null,
      exitCode: reply.exitCode ?? null,
      text: reply.text,
      stderr: reply.stderr ?? "",
      ms,
      writtenBytes,
      keptBytes: sizeOf(output),
      memoryBytes: peakBytes - before.memory,
      peakBytes,
      descriptors: countDescriptors() - before.descriptors,
      alive: await countAlive(mark),
    };
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** Excludes the parent, whose memory `getrusage` would include. */
function peakMemory(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

async function call(
  { script = "", file = `#!/bin/sh\n${script}\n`, command = "./agent", limits = {}, ...given }: Scenario,
  workspace: string,
  outputFolder: string,
  mark: string,
  sizeBytes: number,
): Promise<{ reply: Reply; error: Measurement["error"] }> {
  writeFileSync(join(workspace, "agent"), file);
  chmodSync(join(workspace, "agent"), 0o755);
  mkdirSync(join(workspace, "folder"), { recursive: true });
  writeFileSync(join(workspace, "notes"), "", { mode: 0o644 });
  const { taskTimeoutMs = 600_000, idleTimeoutMs, graceMs, outputCap, abortAfterMs } = limits;
  const execute = commandExecutor({
    command: command.replace("$LONG", "x".repeat(200_000)),
    outputFolder,
    ...(given.preset !== undefined && { preset: findPreset(given.preset) }),
    taskTimeoutMs,
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    ...(graceMs !== undefined && { graceMs }),
    ...(outputCap !== undefined && { outputCapBytes: outputCap * sizeBytes }),
    env: { MARK: mark, SIZE: String(sizeBytes), NODE: process.execPath },
  });
  const delegation = {
    key: "1.1#1",
    role: "executor",
    taskId: "1.1",
    attempt: 1,
    prompt: "x".repeat(given.promptBytes ?? 10),
    workspace: given.homeless === true ? join(workspace, "missing") : workspace,
    spec: workspace,
    progressFile: join(workspace, ".progress.md"),
  } as const;
  const signal = abortAfterMs === undefined ? new AbortController().signal : AbortSignal.timeout(abortAfterMs);
  try {
    const reply = await execute(delegation, signal);
    return { reply: typeof reply === "string" ? { text: reply } : reply, error: null };
  } catch (error) {
    if (!(error instanceof FixpointError)) throw error;
    return { reply: { text: "" }, error: [error.code, error.message] };
  }
}

async function countAlive(mark: string): Promise<number> {
  for (let waited = 0; waited < 10_000 && livingWith(mark).length > 0; waited += 100) await sleep(100);
  const left = livingWith(mark);
  for (const pid of left) process.kill(pid, "SIGKILL");
  return left.length;
}

function countDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).blocks * 512, 0);
}
