// Makes one run that kills its own process at a delegation. Prints the cost until then as one line of JSON.
import { writeSync } from "node:fs";
import { scriptedFailures } from "./long-run.mjs";

const { entry, spec, workspace, killAt } = JSON.parse(process.argv[2]);
const { runSpec } = await import(entry);

const replyTo = scriptedFailures();
const cpu = process.cpuUsage();
const start = performance.now();
const ended = await runSpec({
  spec,
  workspace,
  yes: true,
  accept: "any",
  policy: { recovery: ["retry", "fix"], maxTaskIterations: 3, maxGlobalIterations: 1_000_000 },
  executors: {
    executor: async ({ taskId, key }) => {
      if (killAt !== undefined && taskId !== killAt) return replyTo(taskId);
      const wallMs = performance.now() - start;
      const { user, system } = process.cpuUsage(cpu);
      const peakMiB = process.resourceUsage().maxRSS / 1024;
      writeSync(1, `${JSON.stringify({ key, wallMs, cpuMs: (user + system) / 1000, peakMiB })}\n`);
      process.kill(process.pid, "SIGKILL");
    },
  },
});
throw new Error(`The run ended before it was killed: ${ended.error ?? ended.outcome}`);
