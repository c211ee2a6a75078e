// Measures one run. Started by `run.mjs`; prints one line of JSON.
import { execFile } from "node:child_process";
import fs, { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { GCProfiler } from "node:v8";
import { childrenCpuMs } from "./children-cpu.mjs";
import { doorOf } from "./door.mjs";
import { runInMemory, runWithJournal, runWithProcesses } from "./floors.mjs";
import { checkFinished, makeSpec, scriptedReplies } from "./workload.mjs";

const {
  subject,
  tasks,
  failEvery = 0,
  warmUp = 20,
  command = [],
  build,
  place = tmpdir(),
} = JSON.parse(process.argv[2]);

let flushes = 0;

const subjects = {
  memory: async (files) => runInMemory(files, scriptedExecutor()),
  journal: async (files) => runWithJournal(files, scriptedExecutor()),
  "journal and git": async (files) => {
    const execute = scriptedExecutor();
    await runWithJournal(files, async (task) => {
      await startGit();
      return execute(task);
    });
  },
  fixpoint: async (files) => {
    const execute = scriptedExecutor();
    await runFixpoint(files, ({ taskId }) => execute(taskId));
  },
  processes: async (files) => runWithProcesses(files, command),
  "fixpoint, processes": async (files) => runFixpoint(files, command.join(" ")),
};

const startGit = () => promisify(execFile)("git", ["--version"]);

function scriptedExecutor() {
  const replyTo = scriptedReplies(failEvery);
  return async (task) => replyTo(task);
}

async function runFixpoint({ folder, spec }, executor) {
  const { runSpec } = await import(doorOf(build));
  const policy = { trustExecutor: true, recovery: ["fix"], maxGlobalIterations: 1_000_000 };
  const { outcome, error } = await runSpec({ spec, workspace: folder, policy, executors: { executor } });
  if (outcome !== "complete") throw new Error(`The run ended with ${outcome}: ${error}`);
}

async function measure(count) {
  const folder = mkdtempSync(join(place, "fixpoint-bench-"));
  try {
    const files = makeSpec(folder, count);
    const allocated = countAllocations();
    const flushed = flushes;
    const children = childrenCpuMs();
    const cpu = process.cpuUsage();
    const start = performance.now();
    await subjects[subject](files);
    const wallMs = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    checkFinished(files, count, failEvery);
    return {
      wallMs,
      cpuMs: (user + system) / 1000 + childrenCpuMs() - children,
      allocKb: allocated() / 1024,
      flushes: flushes - flushed,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countFlushes() {
  for (const name of ["fsync", "fsyncSync", "fdatasync", "fdatasyncSync"]) {
    const flush = fs[name];
    fs[name] = (...args) => {
      flushes += 1;
      return flush(...args);
    };
  }
  syncBuiltinESMExports();
}

function countAllocations() {
  const profiler = new GCProfiler();
  let last = process.memoryUsage().heapUsed;
  profiler.start();
  return () => {
    let bytes = 0;
    for (const { beforeGC, afterGC } of profiler.stop().statistics) {
      bytes += beforeGC.heapStatistics.usedHeapSize - last;
      last = afterGC.heapStatistics.usedHeapSize;
    }
    return bytes + process.memoryUsage().heapUsed - last;
  };
}

countFlushes();
if (warmUp > 0) await measure(warmUp);
const taken = await measure(tasks);
process.stdout.write(`${JSON.stringify({ ...taken, peakMiB: process.resourceUsage().maxRSS / 1024 })}\n`);
