import { pathToFileURL } from "node:url";

const [file, root, program, name] = process.argv.slice(2);
const { campaigns } = await import(pathToFileURL(file).href);
const { trials } = campaigns.find((campaign) => campaign.name === name);

// Ignore Ctrl-C, which reaches all processes: the parent process stops the workers.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());
process.on("message", (order) => void make(order).then((result) => process.send(result)));
process.send("ready");

async function make({ trial, batch }) {
  const { run } = trials.find((kind) => kind.name === trial);
  const started = performance.now();
  const result = await run(batch, { root, program }).catch((error) => ({
    counts: {},
    violations: [`number ${batch.from}, seed ${batch.seed}: ${error instanceof Error ? error.stack : error}`],
  }));
  return { ...result, ms: performance.now() - started };
}
