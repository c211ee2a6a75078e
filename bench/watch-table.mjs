// How quickly a table of many runs is read, started by `watch.mjs`: prints what it took as one line of JSON.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSpecs } from "../dist/src/hosts/node/find-specs.js";
import { runSpec } from "../dist/src/hosts/node/index.js";
import { rowOf } from "../dist/src/hosts/node/watch/look-at-row.js";
import { makeSpec } from "./workload.mjs";

const { specs, tasks } = JSON.parse(process.argv[2]);
const base = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
process.env.XDG_STATE_HOME = mkdtempSync(join(tmpdir(), "fixpoint-bench-state-"));

try {
  const { folder, spec } = makeSpec(join(base, "0"), tasks);
  await runSpec({
    ...{ spec, workspace: folder, yes: true, policy: { trustExecutor: true, maxGlobalIterations: 2 * tasks } },
    executors: { executor: async () => "TASK_COMPLETE" },
  });
  for (let count = 1; count < specs; count += 1) cpSync(folder, join(base, String(count)), { recursive: true });
  const { result, cost: found } = timed(() => findSpecs(base));
  const looks = result.map(rowOf);
  const first = timed(() => looks.map((look) => look().state));
  if (first.result.some((state) => state !== "complete")) throw new Error("Not every run is complete");
  const again = timed(() => looks.map((look) => look()));
  process.stdout.write(`${JSON.stringify({ found, first: first.cost, again: again.cost })}\n`);
} finally {
  for (const path of [base, process.env.XDG_STATE_HOME]) rmSync(path, { recursive: true, force: true });
}

function timed(act) {
  const start = performance.now();
  const before = process.cpuUsage();
  const result = act();
  const { user, system } = process.cpuUsage(before);
  return { result, cost: { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 } };
}
