import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

const { planProperties } = await import(pathToFileURL(workerData.file).href);
const properties = planProperties[workerData.name];

parentPort.on("message", ({ index, run }) => {
  const { tally, run: check } = properties[index];
  const before = new Map(tally);
  const start = performance.now();
  const failure = check(run);
  const ms = performance.now() - start;
  const added = [...tally].map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)]);
  parentPort.postMessage({ index, runs: run.numRuns, ms, tally: added, failure });
});
