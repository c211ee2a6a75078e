#!/usr/bin/env node
// Executes the trials of the campaigns in `test/campaigns`. Exits with 1 if a trial violated an invariant.
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { bundleFile } from "../test/support/bundle-file.mjs";
import { bundleProgram } from "../test/support/bundle-program.mjs";
import { commitOf, recordCampaign, recordPage, trialsDone } from "./campaign/ledger.mjs";
import { reportCampaign } from "./campaign/report-campaign.mjs";
import { runCampaign } from "./campaign/run-campaign.mjs";

const help = `Usage: npm run campaign -- [name ...] [options]

Runs the named campaigns, one after another, with --short two at a time; all of them if none is named.

Options:
  --list            list the campaigns and what they do
  --short           few trials of each, as in CI
  --minutes <n>     maximum duration of each campaign (default: 15)
  --seed <n>        seed of all random choices (default: any)
  --only <text>     only trials whose name contains this
  --from <n>        number of the first trial of each kind (default: 0, or where recorded runs with the seed have ended)
  --runs <n>        this many trials of each kind (default: as at full size)
  --path <path>     path of a counterexample to replay, with --only and its seed
  --workers <n>     (default: one for each processor)
  --record          add the figures to docs/evidence/campaigns.ndjson, and to the page of a campaign that has one
  --help
`;
const root = fileURLToPath(new URL("..", import.meta.url));
const print = (text) => process.stdout.write(`${text}\n`);
const text = { type: "string" };
const flag = { type: "boolean", default: false };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ list: flag, short: flag, record: flag, help: flag },
    ...{ minutes: text, seed: text, only: text, from: text, runs: text, path: text, workers: text },
  },
});

if (values.help) process.stdout.write(help);
else await main();

async function main() {
  const { file, folder, remove } = await bundleFile(root, "test/campaigns/index.ts");
  process.once("exit", remove);
  const { campaigns } = await import(pathToFileURL(file).href);
  const unknown = positionals.find((name) => !campaigns.some((campaign) => campaign.name === name));
  if (unknown !== undefined) throw new Error(`Cannot run campaign \`${unknown}\`, expected one that --list shows`);
  if (values.list) {
    for (const { name, about } of campaigns) print(`${name.padEnd(16)}${about}`);
    return;
  }
  const kept = mkdtempSync(join(tmpdir(), "fixpoint-campaign-state-"));
  process.once("exit", () => rmSync(kept, { recursive: true, force: true }));
  process.env.XDG_STATE_HOME = join(kept, "state");
  const program = join(folder, "program");
  await bundleProgram(root, program);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  const seed = numberOf("seed") ?? randomInt(2 ** 30);
  const commit = commitOf(root);
  print(`Commit ${commit}, seed ${seed}, Node ${process.version}, ${availableParallelism()} processors\n`);
  const open = campaigns.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const runNext = async () => {
    for (let campaign = open.shift(); campaign !== undefined && !stop.signal.aborted; campaign = open.shift()) {
      const hindrance = campaign.hindrance?.({ root, program }) ?? null;
      if (hindrance !== null) print(`${campaign.name}: skipped, ${hindrance}\n`);
      else await runOne(campaign, { file, program, commit, seed, signal: stop.signal });
    }
  };
  // A short campaign has too few trials for all processors.
  await Promise.all(Array.from({ length: values.short ? 2 : 1 }, runNext));
  if (stop.signal.aborted) process.exitCode = 130;
}

async function runOne(campaign, { file, program, commit, seed, signal }) {
  const done = values.record ? trialsDone(root, campaign.name, seed) : {};
  const wanted = (trials) => numberOf("runs") ?? (values.short ? trials.short : trials.full);
  const trials = campaign.trials.filter((kind) => kind.name.includes(values.only ?? "") && wanted(kind) > 0);
  if (trials.length === 0) return;
  const found = await runCampaign({
    ...{ campaign, trials, root, program, file, seed, signal, print, wanted },
    firstOf: ({ name }) => numberOf("from") ?? done[name] ?? 0,
    path: values.path,
    minutes: numberOf("minutes") ?? 15,
    workers: values.path === undefined ? (numberOf("workers") ?? availableParallelism()) : 1,
  });
  if (found === null) return;
  const report = reportCampaign(campaign, found, { seed, commit });
  print(report);
  if (values.record) recordCampaign(root, campaign, found, { seed, commit });
  if (values.record && campaign.page !== undefined) recordPage(root, campaign, report);
  if (found.violations.length > 0) process.exitCode = 1;
}

function numberOf(option) {
  if (values[option] === undefined) return undefined;
  const number = Number(values[option]);
  if (!Number.isFinite(number)) throw new Error(`Cannot use --${option} \`${values[option]}\`, expected a number`);
  return number;
}
