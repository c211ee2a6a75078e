// Runs many specs at once in one process. Started by `many.mjs`; prints one line of JSON.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { doorOf } from "./door.mjs";

const { specs, tasks, leastMs, mostMs, build } = JSON.parse(process.argv[2]);
const { runSpec } = await import(doorOf(build));

const base = mkdtempSync(join(tmpdir(), "fixpoint-many-"));
process.env.XDG_STATE_HOME = join(base, "state");
const plan = Array.from({ length: tasks }, (_, at) => `- [ ] 1.${at + 1} Do part ${at + 1}\n  - **Do**: it\n`).join("");
const folders = Array.from({ length: specs }, (_, at) => {
  const folder = join(base, `workspace-${at}`);
  mkdirSync(join(folder, "specs", "work"), { recursive: true });
  writeFileSync(join(folder, "specs", "work", "tasks.md"), plan);
  return folder;
});

const turns = [];
let [mostFiles, atWork, mostAtWork] = [0, 0, 0];
const files = setInterval(() => {
  mostFiles = Math.max(mostFiles, readdirSync("/proc/self/fd").length);
}, 500);

async function run(folder) {
  let answeredAt = null;
  const executor = async () => {
    if (answeredAt !== null) turns.push(performance.now() - answeredAt);
    atWork += 1;
    mostAtWork = Math.max(mostAtWork, atWork);
    // Measure from the time when the answer is due, to include delays that other specs cause.
    const tookMs = leastMs + Math.random() * (mostMs - leastMs);
    answeredAt = performance.now() + tookMs;
    await sleep(tookMs);
    atWork -= 1;
    return "TASK_COMPLETE";
  };
  const { outcome, error } = await runSpec({
    spec: join(folder, "specs", "work"),
    workspace: folder,
    policy: { trustExecutor: true, maxGlobalIterations: 1_000_000 },
    executors: { executor },
  });
  if (outcome !== "complete") throw new Error(`A run ended with ${outcome}: ${error}`);
}

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const start = performance.now();
const cpu = process.cpuUsage();
try {
  await Promise.all(folders.map(run));
  const { user, system } = process.cpuUsage(cpu);
  const sorted = turns.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  const facts = {
    wallMs: performance.now() - start,
    cpuMs: (user + system) / 1000,
    count: sorted.length,
    ...{ p50: at(0.5), p90: at(0.9), p99: at(0.99), most: at(1) },
    ...{ mostAtWork, mostFiles, peakMiB: process.resourceUsage().maxRSS / 1024, stallMs: delay.max / 1e6 },
  };
  process.stdout.write(`${JSON.stringify(facts)}\n`);
} finally {
  clearInterval(files);
  rmSync(base, { recursive: true, force: true });
}
