#!/usr/bin/env node
// Tries the properties of the plan editor on random plans and texts, on every processor, and prints what came of it
// as a table. Ends with 1 when a property does not hold. The properties stand in test/support/properties.
import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { bundleProperties } from "./campaign/bundle-properties.mjs";
import { measureParsers } from "./campaign/measure-parsers.mjs";

const help = `Usage: npm run campaign -- [options]

Options:
  --only <name,name>   campaigns: insert, series, tick, refresh, encode, structure, linear (default: all)
  --property <text>    only properties whose name contains this
  --runs <n>           of the first property of a campaign, the others in proportion (default: as recorded in docs)
  --minutes <n>        the most that each campaign may take (default: 15)
  --seed <n>           of the first batch, the others count from there (default: any)
  --path <path>        of a counterexample: replays that one, with --only, --property and the seed it was found with
  --workers <n>        (default: one for each processor)
  --help
`;

const batch = 250;
const root = fileURLToPath(new URL("..", import.meta.url));
const print = (text) => process.stdout.write(`${text}\n`);
const { values } = parseArgs({
  options: {
    ...{
      only: { type: "string" },
      property: { type: "string" },
      runs: { type: "string" },
      minutes: { type: "string" },
    },
    ...{ seed: { type: "string" }, path: { type: "string" }, workers: { type: "string" } },
    help: { type: "boolean", default: false },
  },
});

if (values.help) print(help);
else await campaign();

async function campaign() {
  const minutes = numberOf("minutes", 15);
  const seed = numberOf("seed", randomInt(2 ** 30));
  const { file, remove } = await bundleProperties(root);
  let violations = 0;
  try {
    const { planProperties, linearParsers } = await import(pathToFileURL(file).href);
    const names = values.only?.split(",") ?? [...Object.keys(planProperties), "linear"];
    const unknown = names.find((name) => name !== "linear" && !Object.hasOwn(planProperties, name));
    if (unknown !== undefined) throw new Error(`Cannot run campaign \`${unknown}\`, expected one that --help names`);
    print(`Commit ${commit()}, seed ${seed}, Node ${process.version}, ${availableParallelism()} processors\n`);
    for (const name of names) {
      if (name === "linear") violations += measureParsers(linearParsers, print);
      else violations += await runCampaign(file, name, planProperties[name], seed, minutes);
    }
  } finally {
    remove();
  }
  process.exitCode = violations > 0 ? 1 : 0;
}

/** Runs the properties of a campaign in batches, all of them at the same pace; answers how many did not hold. */
async function runCampaign(file, name, properties, seed, minutes) {
  const factor = values.runs === undefined ? 1 : numberOf("runs", 1) / properties[0].runs;
  const jobs = properties
    .map((property, index) => ({
      ...{ name: property.name, index, wanted: Math.max(1, Math.round(property.runs * factor)) },
      ...{ given: 0, done: 0, batches: 0, ms: 0, tally: new Map(), failures: [] },
    }))
    .filter((job) => job.name.includes(values.property ?? ""));
  const started = Date.now();
  const workers = numberOf("workers", availableParallelism());
  await Promise.all(Array.from({ length: values.path === undefined ? workers : 1 }, () => work()));
  report(name, jobs, seed, Date.now() - started);
  return jobs.reduce((sum, { failures }) => sum + failures.length, 0);

  function work() {
    const worker = new Worker(new URL("./campaign/worker.mjs", import.meta.url), { workerData: { file, name } });
    return new Promise((resolve, reject) => {
      worker.on("error", reject);
      worker.on("exit", resolve);
      worker.on("message", ({ index, runs, ms, tally, failure }) => {
        const job = jobs.find((known) => known.index === index);
        job.done += runs;
        job.ms += ms;
        for (const [outcome, count] of tally) job.tally.set(outcome, (job.tally.get(outcome) ?? 0) + count);
        if (failure !== null) job.failures.push(failure);
        if (failure !== null) print(`${name}: ${job.name}\n${failure}\n`);
        next();
      });
      next();

      function next() {
        const open = jobs.filter(({ given, wanted, failures }) => given < wanted && failures.length < 5);
        const job = open.sort((a, b) => a.given / a.wanted - b.given / b.wanted)[0];
        if (job === undefined || Date.now() - started > minutes * 60_000) {
          void worker.terminate();
          return;
        }
        const numRuns = Math.min(batch, job.wanted - job.given);
        if (values.path !== undefined) job.given = job.wanted;
        worker.postMessage({ index: job.index, run: { numRuns, seed: seed + job.batches, path: values.path } });
        job.given += numRuns;
        job.batches += 1;
      }
    });
  }
}

function report(name, jobs, seed, elapsed) {
  print(`| ${name}, seed ${seed} | runs | held | ms each | violations |\n| --- | ---: | ---: | ---: | ---: |`);
  for (const { name: property, done, ms, tally, failures } of jobs) {
    const held = tally.get("held") ?? 0;
    const others = [...tally].filter(([outcome]) => outcome !== "held").map(([outcome, n]) => `${count(n)} ${outcome}`);
    const remark = others.length === 0 ? "" : ` (${others.join(", ")})`;
    const each = (ms / Math.max(1, done)).toFixed(2);
    print(`| ${property} | ${count(done)} | ${count(held)}${remark} | ${each} | ${failures.length} |`);
  }
  print(`\n${name}: ${(elapsed / 60_000).toFixed(1)} minutes\n`);
}

function count(number) {
  return number.toLocaleString("en").replaceAll(",", " ");
}

function numberOf(option, fallback) {
  const number = values[option] === undefined ? fallback : Number(values[option]);
  if (!Number.isFinite(number)) throw new Error(`Cannot use --${option} \`${values[option]}\`, expected a number`);
  return number;
}

function commit() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
  try {
    return `${git("rev-parse", "--short=7", "HEAD")}${git("status", "--porcelain", "src", "test") === "" ? "" : " and changes"}`;
  } catch {
    return "unknown";
  }
}
